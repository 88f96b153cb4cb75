import { fromBase64Url } from './encoding.ts'

export interface RingKey {
  id: string
  bytes: Uint8Array<ArrayBuffer>
}

/** Newest first; never empty. */
export type KeyRing = readonly [RingKey, ...RingKey[]]

interface WrittenKey extends RingKey {
  /** The key as the setting spells it. */
  text: string
}

export type WrittenKeyRing = readonly [WrittenKey, ...WrittenKey[]]

export const MIN_KEY_BYTES = 32

/**
 * Reads a key ring `id:base64[,id:base64…]`. The first key makes new values, all of them verify old ones,
 * so a key is rotated by putting a new one in front. null: it is malformed, or a key has fewer than 32 bytes.
 */
export function keyRingOf(text: string): WrittenKeyRing | null {
  const keys = text.split(',').map(ringKeyOf)
  const [first, ...others] = keys.filter((key) => key !== null)
  return first && others.length + 1 === keys.length ? [first, ...others] : null
}

function ringKeyOf(part: string): WrittenKey | null {
  const [id = '', encoded = ''] = part.trim().split(':')
  const bytes = fromBase64Url(encoded)
  return /^[a-z0-9]{1,16}$/.test(id) && bytes && bytes.byteLength >= MIN_KEY_BYTES ? { id, bytes, text: encoded } : null
}
