import { decodeTime, encodeTime } from 'ulidx'

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
  | 'ers'
  | 'req'

export type Random = (bytes: number) => Uint8Array<ArrayBuffer>

const POOL_BYTES = 4_096
let pool = new Uint8Array(0)
let used = 0

/** The system's randomness, drawn in advance: an identifier takes 12 bytes, and a call for them costs more than they do. */
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

/** The first four of the sixteen characters after the time count the identifiers of one millisecond. */
const PLACES = 32 ** 4

/** The last identifier of this isolate: its millisecond, and its place in it. */
let last = { now: -1, place: 0 }

/**
 * `prefix_` + 26-character ULID of the given instant (milliseconds since 1970). Identifiers that an isolate makes in one
 * millisecond sort in the order in which they were made: lists by time and id show the order of arrival.
 */
export function newId(prefix: IdPrefix, now: number, random: Random): string {
  const drawn = random(12)
  const bytes = new DataView(drawn.buffer, drawn.byteOffset)
  // The first place is in the lower half, so that half a million follow in order. After a clock steps back the count starts over.
  last = { now, place: (last.now === now ? last.place + 1 : bytes.getUint32(0) % (PLACES / 2)) % PLACES }
  const parts = [encodeTime(now, 10), encodeTime(last.place, 4), sixOf(bytes.getUint32(4)), sixOf(bytes.getUint32(8))]
  return `${prefix}_${parts.join('')}`
}

/** Six characters of 32 random bits. */
const sixOf = (bits: number): string => encodeTime(bits >>> 2, 6)

const SHAPES = new Map<IdPrefix, RegExp>()

/** Whether a string has the shape of an identifier of this type; says nothing about its existence. */
export function isId(prefix: IdPrefix, value: string): boolean {
  let shape = SHAPES.get(prefix)
  if (!shape) SHAPES.set(prefix, (shape = new RegExp(`^${prefix}_[0-7][0-9A-HJKMNP-TV-Z]{25}$`)))
  return shape.test(value)
}

/** What an identifier is of, by its prefix. */
const KINDS: Partial<Record<string, string>> = {
  mem: 'memory item',
  prj: 'project',
  wsp: 'workspace',
  usr: 'user',
  key: 'API key',
  app: 'application',
  sub: 'subscription',
  evt: 'event',
  dlv: 'delivery',
  ses: 'session',
  grt: 'grant',
  inv: 'invitation',
  ers: 'erasure',
}

/** ` prj_… is the id of a project; …` where an id begins as one of another kind than `what`, or nothing. */
export function otherKind(what: string, id: string): string {
  const prefix = id.slice(0, 3)
  const kind = id.charAt(3) === '_' ? KINDS[prefix] : undefined
  const wanted = what === 'member' ? 'user' : what
  const [expected] = Object.entries(KINDS).find(([, one]) => one === wanted) ?? []
  if (kind === undefined || kind === wanted || expected === undefined) return ''
  return ` ${prefix}_… is the id of ${article(kind)} ${kind}; the id of ${article(wanted)} ${wanted} begins with ${expected}_.`
}

const article = (noun: string): string => (/^[aeiouA]/.test(noun) && !noun.startsWith('user') ? 'an' : 'a')

/** The instant, in milliseconds, at which an identifier was made. */
export const timeOfId = (id: string): number => decodeTime(id.slice(id.indexOf('_') + 1))
