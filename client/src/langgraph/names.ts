import { escapeId, fitted, hashOf, KEPT_CHARACTERS } from '../escape-id.ts'
import { Naming, type NamespaceName, type PathReach } from './naming.ts'

/** The names that the store gives: each label is escaped as an id is. LangGraph refuses a label with `.` or `:`. */
const CURRENT = new Naming({
  escape: escapeId,
  parts: /=[\dA-F]{2}|[\w@|+/-]/g,
  // A `:` stands behind them.
  maxKept: KEPT_CHARACTERS - 1,
  hashOf,
  fit: fitted,
  isHashed: (name) => /=h[\w-]{22}$/.test(name),
})

const OLDER_MAX_CHARACTERS = 64
const OLDER_HASH_CHARACTERS = 32
/** Begins a hash, of a name or of a `custom_id`. It is no escape, because `h` is no hexadecimal digit. */
const HASHED = '.h'

/** The names that the store gave before ids of users were namespaces. An item that has one keeps it. */
const OLDER = new Naming({
  escape: (label) =>
    Array.from(new TextEncoder().encode(label), (byte) => {
      const character = String.fromCharCode(byte)
      return /[\w-]/.test(character) ? character : `.${byte.toString(16).padStart(2, '0')}`
    }).join(''),
  parts: /\.[\da-f]{2}|[\w-]/g,
  maxKept: OLDER_MAX_CHARACTERS - ':'.length - HASHED.length - OLDER_HASH_CHARACTERS,
  hashOf: hexHashOf,
  fit: async (name, kept) =>
    name.length <= OLDER_MAX_CHARACTERS ? name : [...kept, HASHED + (await hexHashOf(name))].join(':'),
  isHashed: (name) => name.split(':').at(-1)?.startsWith(HASHED) === true,
})

/** The names that items of a path may have: the current one, and the older one where it is another. */
export async function namesOf(path: readonly string[]): Promise<[NamespaceName, ...NamespaceName[]]> {
  const [current, older] = await Promise.all([CURRENT.nameOf(path), OLDER.nameOf(path)])
  return older.namespace === current.namespace ? [current] : [current, older]
}

/** What finds the items of a path and of those below it: by their current names, and by older ones where these are others. */
export async function reachesOf(path: readonly string[]): Promise<[PathReach, ...PathReach[]]> {
  const [current, older] = await Promise.all([CURRENT.reachOf(path), OLDER.reachOf(path)])
  return older.prefix === current.prefix && older.hash === null && current.hash === null ? [current] : [current, older]
}

/** The path of a name; null: it is hashed, or none of ours. `.` begins each escape of an older name, and no current one has it. */
export const pathOfName = (name: string): string[] | null => (name.includes('.') ? OLDER : CURRENT).pathOf(name)

export const isHashed = (name: string): boolean => CURRENT.isHashed(name) || OLDER.isHashed(name)

/** A key has at most 128 characters as `custom_id` (contract §3). */
const MAX_CUSTOM_ID = 128

/** A key as `custom_id`: the key itself where it fits, in the form NFC, as the service keeps it. */
export async function customIdOf(given: string): Promise<string> {
  const key = given.normalize('NFC')
  const fits = key !== '' && Array.from(key).length <= MAX_CUSTOM_ID && !key.startsWith(HASHED)
  return fits ? key : HASHED + (await hexHashOf(key))
}

async function hexHashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'))
  return hex.join('').slice(0, OLDER_HASH_CHARACTERS)
}
