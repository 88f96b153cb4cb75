import { decodeTime, ulid } from 'ulidx'

/** Type prefixes of identifiers (contract §1). */
export type IdPrefix =
  | 'mem'
  | 'prj'
  | 'wsp'
  | 'usr'
  | 'ten'
  | 'key'
  | 'app'
  | 'sub'
  | 'evt'
  | 'dlv'
  | 'att'
  | 'aud'
  | 'ses'
  | 'grt'
  | 'tok'
  | 'inv'
  | 'req'

export type Random = (bytes: number) => Uint8Array<ArrayBuffer>

const POOL_BYTES = 4_096
let pool = new Uint8Array(0)
let used = 0

/** The system's randomness, drawn in advance: an identifier takes 16 bytes, and a call for them costs more than they do. */
export const systemRandom: Random = (bytes) => {
  if (bytes > POOL_BYTES) throw new RangeError('more random bytes than anything here needs')
  if (used + bytes > pool.length) {
    pool = crypto.getRandomValues(new Uint8Array(POOL_BYTES))
    used = 0
  }
  const drawn = pool.slice(used, used + bytes)
  pool.fill(0, used, used + bytes)
  used += bytes
  return drawn
}

/** `prefix_` + 26-character ULID of the given instant (milliseconds since 1970). */
export function newId(prefix: IdPrefix, now: number, random: Random): string {
  const bytes = random(16)
  let next = 0
  return `${prefix}_${ulid(now, () => (bytes[next++] ?? 0) / 256)}`
}

const SHAPES = new Map<IdPrefix, RegExp>()

/** Whether a string has the shape of an identifier of this type; says nothing about its existence. */
export function isId(prefix: IdPrefix, value: string): boolean {
  let shape = SHAPES.get(prefix)
  if (!shape) SHAPES.set(prefix, (shape = new RegExp(`^${prefix}_[0-7][0-9A-HJKMNP-TV-Z]{25}$`)))
  return shape.test(value)
}

/** The instant, in milliseconds, at which an identifier was made. */
export const timeOfId = (id: string): number => decodeTime(id.slice(id.indexOf('_') + 1))
