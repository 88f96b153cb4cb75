import { fromBase64Url, toHex, utf8 } from './encoding.ts'

/** SHA-256 of a text, in hexadecimal. */
export async function sha256(text: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(text))))
}

export const importHmacKey = (raw: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])

export async function hmacSha256(key: CryptoKey, message: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, message))
}

/** Compares without telling by its duration where the difference is. */
export function timingSafeEqual(a: Uint8Array<ArrayBuffer>, b: Uint8Array<ArrayBuffer>): boolean {
  return a.byteLength === b.byteLength && crypto.subtle.timingSafeEqual(a, b)
}

export interface RingKey {
  id: string
  bytes: Uint8Array<ArrayBuffer>
}

/** Newest first; never empty. */
export type KeyRing = readonly [RingKey, ...RingKey[]]

interface WrittenKey extends RingKey {
  /** The key as the variable spells it. */
  text: string
}

export type WrittenKeyRing = readonly [WrittenKey, ...WrittenKey[]]

const MIN_KEY_BYTES = 32

/**
 * Reads a key ring `id:base64[,id:base64…]`. The first key makes new values, all of them verify old ones,
 * so a key is rotated by putting a new one in front. Throws on a malformed ring or a key under 32 bytes.
 */
export function parseKeyRing(name: string, value: string): WrittenKeyRing {
  const [first = '', ...others] = value.split(',')
  return [parseRingKey(name, first), ...others.map((part) => parseRingKey(name, part))]
}

function parseRingKey(name: string, part: string): WrittenKey {
  const [id = '', encoded = ''] = part.trim().split(':')
  const bytes = fromBase64Url(encoded)
  if (!/^[a-z0-9]{1,16}$/.test(id) || !bytes || bytes.byteLength < MIN_KEY_BYTES) {
    throw new Error(`${name} must be id:base64[,id:base64…] with keys of at least ${MIN_KEY_BYTES} bytes`)
  }
  return { id, bytes, text: encoded }
}
