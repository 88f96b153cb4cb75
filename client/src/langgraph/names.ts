/** Characters of a namespace and of a `custom_id` (contract §3). */
const MAX_NAMESPACE = 64
const MAX_CUSTOM_ID = 128
const HASH_CHARACTERS = 32
/** Begins a hash. It is no escape, because `h` is no hexadecimal digit. */
const HASHED = '.h'
/** This many characters of a path stay readable where the rest is hashed. */
const MAX_KEPT = MAX_NAMESPACE - ':'.length - HASHED.length - HASH_CHARACTERS

/** The name of a namespace, and what an item in it has to say of its path. */
export interface NamespaceName {
  name: string
  /** The hash of each beginning of the path that is too long to stand in every name below it, by its number of labels. */
  hashes: Record<string, string>
  /** The name does not tell the path. */
  hashed: boolean
}

/** The prefix and the hash that find the items of a path and of all paths below it. */
export interface PathReach {
  /** null: all namespaces. */
  prefix: string | null
  /** A hash of `NamespaceName` that the items must have; null: the prefix tells all. */
  hash: { labels: number; value: string } | null
}

/** Labels escaped and joined by `:`. A path that is too long keeps its first labels, and the hash of all. */
export async function namespaceName(path: readonly string[]): Promise<NamespaceName> {
  const labels = path.map(escapeLabel)
  const kept = keptOf(labels)
  const lengths = labels.map((_, at) => at + 1).filter((length) => length > kept.length)
  const hashes = Object.fromEntries(
    await Promise.all(lengths.map(async (length) => [`d${length}`, await hashOf(labels.slice(0, length))] as const)),
  )
  const name = labels.join(':')
  if (name.length <= MAX_NAMESPACE) return { name, hashes, hashed: false }
  return { name: [...kept, HASHED + (hashes[`d${labels.length}`] ?? '')].join(':'), hashes, hashed: true }
}

/** The path of a name; null: it is hashed, or none of ours. */
export function pathOfName(name: string): string[] | null {
  const labels = name.split(':')
  const path = labels.map(unescapeLabel)
  return path.every((label) => label !== null) && path.map(escapeLabel).join(':') === name ? path : null
}

export const isHashed = (name: string): boolean => name.split(':').at(-1)?.startsWith(HASHED) === true

export async function reachOf(path: readonly string[]): Promise<PathReach> {
  const labels = path.map(escapeLabel)
  const kept = keptOf(labels)
  const prefix = kept.length === 0 ? null : kept.join(':')
  if (kept.length === labels.length) return { prefix, hash: null }
  return { prefix, hash: { labels: labels.length, value: await hashOf(labels) } }
}

/** A key as `custom_id`: the key itself where it fits. */
export async function customIdOf(key: string): Promise<string> {
  const fits = key !== '' && Array.from(key).length <= MAX_CUSTOM_ID && !key.startsWith(HASHED)
  return fits ? key : HASHED + (await hashOf([key]))
}

/** The first labels that stay readable in every name below a path. */
function keptOf(labels: readonly string[]): string[] {
  let length = -1
  return labels.filter((label) => (length += label.length + 1) <= MAX_KEPT)
}

const escapeLabel = (label: string): string =>
  Array.from(new TextEncoder().encode(label), (byte) => {
    const character = String.fromCharCode(byte)
    return /[A-Za-z0-9_-]/.test(character) ? character : `.${byte.toString(16).padStart(2, '0')}`
  }).join('')

function unescapeLabel(label: string): string | null {
  const parts = label.match(/\.[0-9a-f]{2}|[A-Za-z0-9_-]/g) ?? []
  if (label === '' || parts.join('') !== label) return null
  const bytes = parts.map((part) => (part.length === 1 ? part.charCodeAt(0) : Number.parseInt(part.slice(1), 16)))
  return new TextDecoder().decode(new Uint8Array(bytes))
}

async function hashOf(labels: readonly string[]): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(labels.join(':')))
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'))
  return hex.join('').slice(0, HASH_CHARACTERS)
}
