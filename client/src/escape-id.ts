/** Characters of a namespace (contract §3). */
const MAX_CHARACTERS = 128
/** Stands before the hash of a name that was cut. It is no escape, because `h` is no hexadecimal digit. */
const CUT = '=h'
/** Of the SHA-256 in base64url (RFC 4648 §5), which has `A-Z a-z 0-9 - _`: 132 bits. */
const HASH_CHARACTERS = 22
/** A name that is cut keeps this many characters, or fewer where an escape would be split. */
export const KEPT_CHARACTERS = MAX_CHARACTERS - CUT.length - HASH_CHARACTERS

/** An id of any length in the alphabet of namespaces: each byte of UTF-8 outside of it, and `=` itself, becomes `=XX`. */
export function escapeId(id: string): string {
  if (typeof id !== 'string' || id === '' || /\p{Surrogate}/u.test(id))
    throw new TypeError('The id of a namespace must be a string with at least one character and no lone surrogate.')
  return id.replace(/[^A-Za-z0-9._:@|+/-]/gu, (character) =>
    Array.from(new TextEncoder().encode(character), (byte) => `=${hexOf(byte)}`).join(''),
  )
}

/** An escaped name that is too long keeps its beginning, and ends with a hash of the whole name. */
export async function fitted(name: string): Promise<string> {
  if (name.length <= MAX_CHARACTERS) return name
  return name.slice(0, KEPT_CHARACTERS).replace(/=[\dA-F]?$/, '') + CUT + (await hashOf(name))
}

export async function hashOf(name: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(name))
  const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)))
  return base64.replaceAll('+', '-').replaceAll('/', '_').slice(0, HASH_CHARACTERS)
}

const hexOf = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0')
