import { fromBase64Url, toBase64Url, utf8 } from './encoding.ts'
import type { KeyRing, RingKey } from './key-ring.ts'
import type { Random } from './ids.ts'

const IV_BYTES = 12

/** One AES key a ring key, derived once an isolate. */
const derived = new WeakMap<RingKey, Promise<CryptoKey>>()

/**
 * Encrypts a text for rest: AES-256-GCM under the newest key of the ring. `place` names where the value belongs
 * (table, column, row) and is authenticated, so that a sealed value cannot be moved to another row.
 */
export async function seal(ring: KeyRing, place: string, plain: string, random: Random): Promise<string> {
  const [key] = ring
  const iv = random(IV_BYTES)
  const sealed = await crypto.subtle.encrypt(cipher(iv, place), await keyOf(key), utf8(plain))
  return `${key.id}.${toBase64Url(iv)}.${toBase64Url(new Uint8Array(sealed))}`
}

/** The text again, under whichever key of the ring sealed it. Throws where the key is gone or the value was changed. */
export async function unseal(ring: KeyRing, place: string, sealed: string): Promise<string> {
  const [id, iv = '', bytes = ''] = sealed.split('.')
  const key = ring.find((one) => one.id === id)
  const [nonce, body] = [fromBase64Url(iv), fromBase64Url(bytes)]
  if (!key || !nonce || !body) throw new Error(`no key of the ring opens the value at ${place}`)
  return new TextDecoder().decode(await crypto.subtle.decrypt(cipher(nonce, place), await keyOf(key), body))
}

const cipher = (iv: Uint8Array<ArrayBuffer>, place: string) => ({ name: 'AES-GCM', iv, additionalData: utf8(place) })

function keyOf(ringKey: RingKey): Promise<CryptoKey> {
  let key = derived.get(ringKey)
  if (!key) derived.set(ringKey, (key = derive(ringKey)))
  return key
}

async function derive({ bytes }: RingKey): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey'])
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: utf8('recollect seal') }
  return crypto.subtle.deriveKey(hkdf, base, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}
