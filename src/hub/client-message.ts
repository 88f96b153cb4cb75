/** The largest message that a client may send, in bytes of UTF-8 (contract §5). */
export const MAX_FRAME_BYTES = 64 * 1024

/** A message of a client, as it is understood. `received` counts the messages with an `id` that the client has processed. */
export type ClientMessage =
  | { kind: 'ping' }
  | { kind: 'ack'; received: number }
  | { kind: 'ignored' }
  | { kind: 'too_large' }

const encoder = new TextEncoder()

/**
 * The platform answers `{"type":"ping"}` in this spelling without waking the hub; other spellings come here.
 * Unknown types are ignored, so that newer clients may send more.
 */
export function readClientMessage(message: string | ArrayBuffer): ClientMessage {
  if (sizeOf(message) > MAX_FRAME_BYTES) return { kind: 'too_large' }
  if (typeof message !== 'string') return { kind: 'ignored' }
  const value = parse(message)
  if (value === null || typeof value !== 'object' || !('type' in value)) return { kind: 'ignored' }
  if (value.type === 'ping') return { kind: 'ping' }
  if (value.type === 'ack' && 'received' in value && isCount(value.received)) {
    return { kind: 'ack', received: value.received }
  }
  return { kind: 'ignored' }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

function sizeOf(message: string | ArrayBuffer): number {
  if (typeof message !== 'string') return message.byteLength
  // n units of UTF-16 take n to 3n bytes of UTF-8, so most texts need no encoding to be measured.
  if (message.length > MAX_FRAME_BYTES) return message.length
  return message.length * 3 <= MAX_FRAME_BYTES ? message.length : encoder.encode(message).byteLength
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
