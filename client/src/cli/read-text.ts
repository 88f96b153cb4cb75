const UTF_16 = [
  { name: 'utf-16le', mark: [0xff, 0xfe] },
  { name: 'utf-16be', mark: [0xfe, 0xff] },
] as const
const LINE_FEED = 0x0a

/** Bytes that are no text. The message says why, without its subject. */
export class NotText extends Error {}

const utf16Of = (bytes: Uint8Array): string | undefined =>
  UTF_16.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte))?.name

/** Whether a byte order mark says that a text is UTF-16, as some programs of Windows write it. */
export const isUtf16 = (bytes: Uint8Array): boolean => utf16Of(bytes) !== undefined

/**
 * A text of UTF-8, or of UTF-16 with a byte order mark. The mark comes off. Throws `NotText` for all other bytes: a guess
 * would change what is stored.
 */
export function readText(bytes: Uint8Array): string {
  const text = decode(bytes)
  if (text === null) throw new NotText('it is not UTF-8 text')
  if (text.includes('\0')) throw new NotText('it is not UTF-8 text: it contains a NUL character')
  return text
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(utf16Of(bytes) ?? 'utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** The lines of a stream as bytes. A line ends at a line feed alone: JSON may hold every other line end as it is. */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = []
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      yield Buffer.concat([...parts, chunk.subarray(from, at)])
      parts = []
      from = at + 1
    }
    parts.push(chunk.subarray(from))
  }
  yield Buffer.concat(parts)
}
