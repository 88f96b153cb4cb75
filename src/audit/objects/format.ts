import { toHex, utf8 } from '../../core/values/encoding.ts'
import type { AuditRow } from '../record.ts'
import { DAY_MS, HOUR_MS } from '../../core/values/durations.ts'

/** The most that an object holds, as text before compression, unless its first page alone is longer. */
export const MAX_OBJECT_CHARACTERS = 2 * 1024 * 1024
/** The most bytes that are read of an object, unpacked: a character takes three bytes at most, and a page 2 MB. */
const MAX_UNPACKED_BYTES = 8 * 1024 * 1024

/** A page as the audit database holds it. */
export interface PageText {
  id: string
  first_at: number
  last_at: number
  /** JSON array of its rows. */
  rows: string
  /** The number of its rows. */
  count: number
}

/** A page that was read from an object. */
export interface PageOfObject {
  id: string
  first_at: number
  last_at: number
  rows: AuditRow[]
}

/** A row of `audit_objects` but its `stored_at`. */
export interface ObjectIndex {
  key: string
  tenant_id: string
  first_at: number
  /** The order of pages is by `last_at` and id. */
  oldest_at: number
  oldest_id: string
  newest_at: number
  newest_id: string
  /** The length of the hour or the day of UTC that all pages lie in; 0: there is one page. */
  span_ms: number
  pages: number
  rows: number
  /** The compressed size. */
  bytes: number
}

export interface PackedObject {
  index: ObjectIndex
  body: Uint8Array<ArrayBuffer>
  /** Hash of the body, in hexadecimal. */
  sha256: string
}

/** An object is not what was stored under its key. */
export class CorruptObject extends Error {
  override readonly name = 'CorruptObject'
}

/** The order of a list: newest first. */
export const newestPageFirst = (a: { last_at: number; id: string }, b: { last_at: number; id: string }): number =>
  b.last_at - a.last_at || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

/**
 * Packs pages of one tenant, at least one, as JSON lines, a page each, newest first. The same pages make the same key:
 * it names shard, tenant, hour, first and last page, and the hash of the lines.
 */
export async function pack(shard: string, tenantId: string, pages: readonly PageText[]): Promise<PackedObject> {
  const ordered = pages.toSorted(newestPageFirst)
  const [newest, oldest] = [ordered[0], ordered.at(-1)]
  if (!newest || !oldest) throw new Error('an object has at least one page')
  const lines = utf8(ordered.map(lineOf).join(''))
  const [hash, body] = await Promise.all([hashOf(lines), piped(lines, new CompressionStream('gzip'))])
  const hour = new Date(oldest.last_at).toISOString().slice(0, 13)
  const key = `${shard}/${tenantId}/${hour}/${shortId(oldest.id, tenantId)}-${shortId(newest.id, tenantId)}-${hash}.jsonl.gz`
  return {
    index: indexOf(key, tenantId, ordered, body.byteLength),
    body,
    sha256: await hashOf(body),
  }
}

/** The row of the index for an object of so many compressed bytes, with these pages, newest first. */
export function indexOf(
  key: string,
  tenantId: string,
  ordered: readonly Omit<PageText, 'rows'>[],
  bytes: number,
): ObjectIndex {
  const [newest, oldest] = [ordered[0], ordered.at(-1)]
  if (!newest || !oldest) throw new Error('an object has at least one page')
  return {
    key,
    tenant_id: tenantId,
    first_at: Math.min(...ordered.map((page) => page.first_at)),
    oldest_at: oldest.last_at,
    oldest_id: oldest.id,
    newest_at: newest.last_at,
    newest_id: newest.id,
    span_ms: spanOf(ordered.length, oldest.last_at, newest.last_at),
    pages: ordered.length,
    rows: ordered.reduce((sum, page) => sum + page.count, 0),
    bytes,
  }
}

/** The tenant that the key of an object names; null: it is no such key. */
export const tenantOf = (key: string): string | null =>
  /^\d\d\/([^/]+)\/[-\dT]{13}\/[^/]+-[0-9a-f]{64}\.jsonl\.gz$/.exec(key)?.[1] ?? null

/**
 * The pages of an object in their order, each parsed when it is asked for. Throws `CorruptObject` where the bytes are not those
 * of the key, or are about another tenant.
 */
export async function unpack(
  key: string,
  tenantId: string,
  body: Uint8Array<ArrayBuffer>,
): Promise<Iterable<PageOfObject>> {
  let lines: Uint8Array<ArrayBuffer>
  try {
    lines = await piped(body, new DecompressionStream('gzip'), MAX_UNPACKED_BYTES)
  } catch (error) {
    throw new CorruptObject(`${key} is not compressed as it should be`, { cause: error })
  }
  if (!key.endsWith(`-${await hashOf(lines)}.jsonl.gz`)) throw new CorruptObject(`${key} has different content`)
  const text = new TextDecoder().decode(lines)
  return pagesOf(text, key, tenantId)
}

function* pagesOf(text: string, key: string, tenantId: string): Iterable<PageOfObject> {
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf('\n', start)
    const page: PageOfObject = JSON.parse(text.slice(start, end))
    if (page.rows.some((row) => row.tenant_id !== tenantId))
      throw new CorruptObject(`${key} has rows of another tenant`)
    yield page
  }
}

const lineOf = ({ id, first_at, last_at, rows }: PageText): string =>
  `{"id":${JSON.stringify(id)},"first_at":${first_at},"last_at":${last_at},"rows":${rows}}\n`

/** The key already holds the tenant. */
const shortId = (id: string, tenantId: string): string => id.replace(`:${tenantId}`, '').replaceAll(':', '.')

function spanOf(pages: number, oldestAt: number, newestAt: number): number {
  if (pages === 1) return 0
  return isSame(HOUR_MS, oldestAt, newestAt) ? HOUR_MS : DAY_MS
}

/** Whether two instants are in the same hour or day of UTC. */
export const isSame = (lengthMs: number, a: number, b: number): boolean =>
  Math.floor(a / lengthMs) === Math.floor(b / lengthMs)

const hashOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))

/** What comes out of a stream; throws where it is more than `max` bytes. */
async function piped(
  bytes: Uint8Array<ArrayBuffer>,
  through: ReadableWritablePair<Uint8Array, BufferSource>,
  max = Infinity,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of new Blob([bytes]).stream().pipeThrough(through)) {
    size += part.byteLength
    if (size > max) throw new Error(`more than ${max} bytes`)
    parts.push(part)
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}
