import { fromBase64Url } from '../../src/core/values/encoding.ts'

/** All that a client can decode of a cursor, one character a byte: the whole, and each of its parts. */
export function decodedCursor(cursor: string | null): string {
  if (cursor === null) throw new Error('the page has no cursor')
  const bytes = [cursor, ...cursor.split('.')].map((part) => fromBase64Url(part) ?? new Uint8Array())
  return [cursor, ...bytes.map((part) => String.fromCharCode(...part))].join('\n')
}
