import type { System } from '../../core/context.ts'
import { backoffMs } from '../../core/values/backoff.ts'
import type { Database } from '../../core/database/database.ts'
import { TextRefused } from '../../core/embedding.ts'
import type { VectorEntry } from '../../core/ports.ts'
import { enqueueEvents, memoryEventsStatement, type OutboxRow } from '../../events/index.ts'
import type { ItemRecord } from '../item.ts'
import { chunks } from './chunk.ts'
import { CLAIM, COMPLETE, COMPLETED, OBSOLETE, FAIL_ATTEMPT } from './embed-sql.ts'
import { callModel } from './model-call.ts'
import { putVectors, removeEntries } from './vectors.ts'

const RETRY_BASE_MS = 10_000
const RETRY_CAP_MS = 30 * 60_000
/** Texts of one model call (architecture §9). */
const MAX_TEXTS = 100
/** Items of one claim. The claim reads their texts, and a text has up to 256 KB. */
const MAX_CLAIMED = 50
/** Vectors that are stored together (2 MB at 1,024 dimensions): many vectors of a project cost little more than one. */
const MAX_BUFFERED_VECTORS = 500
/** Vectors are stored at least this often. So items need not wait for a slow model, and no lease runs out. */
const FLUSH_AFTER_MS = 1_000

/** An item under this worker's lease. */
type Leased = Pick<ItemRecord, 'row' | 'id' | 'tenant_id' | 'project_id' | 'namespace' | 'vector_version' | 'attempts'>

type Claimed = Leased & Pick<ItemRecord, 'text'>

/** An item with the texts of its chunks. */
interface Chunked {
  item: Leased
  texts: string[]
}

/** An item with the vectors of its chunks. */
interface Embedded {
  item: Leased
  entries: VectorEntry[]
}

/**
 * Embeds items: claim → chunk → model → vectors → complete (architecture §4). It skips items that another worker has
 * claimed or that need no embedding, so it is safe to repeat. An item that fails waits for its back-off and ends as
 * `failed`. Throws only where the database does not answer.
 */
export async function embedItems(system: System, db: Database, ids: readonly string[]): Promise<void> {
  const lease = system.newId('req')
  let buffered: Embedded[] = []
  let flushedAt = system.now()
  const flush = async () => {
    const flushing = buffered
    buffered = []
    flushedAt = system.now()
    await complete(system, db, lease, await storeVectors(system, db, lease, flushing))
  }
  try {
    for (let at = 0; at < ids.length; at += MAX_CLAIMED) {
      // On a laptop one process does everything. It reads the network only when it is idle.
      if (at > 0) await scheduler.wait(1)
      const portion = ids.slice(at, at + MAX_CLAIMED)
      const claimed = await db.write<Claimed>(CLAIM, JSON.stringify(portion), lease, system.now())
      for (const group of grouped(claimed, system.embedder.maxTokens)) {
        buffered.push(...(await embedGroup(system, db, lease, group)))
        const vectors = buffered.reduce((sum, { entries }) => sum + entries.length, 0)
        if (vectors >= MAX_BUFFERED_VECTORS || system.now() - flushedAt >= FLUSH_AFTER_MS) await flush()
      }
    }
  } finally {
    await flush()
  }
}

/** Groups items of all tenants so that the chunks of a group fit into one model call. An item with more stands alone. */
function grouped(items: readonly Claimed[], maxTokens: number): Chunked[][] {
  const groups: Chunked[][] = []
  let room = 0
  for (const { text, ...item } of items) {
    const texts = chunks(text, maxTokens).map(({ start, end }) => text.slice(start, end))
    if (groups.length === 0 || texts.length > room) {
      groups.push([])
      room = MAX_TEXTS
    }
    groups.at(-1)?.push({ item, texts })
    room -= texts.length
  }
  return groups
}

/** Answers the items that have their vectors. The others get a failed attempt. */
async function embedGroup(system: System, db: Database, lease: string, group: Chunked[]): Promise<Embedded[]> {
  try {
    return await withVectors(system, group)
  } catch (error) {
    const refused = error instanceof TextRefused
    const items = group.map(({ item }) => item)
    if (!refused || items.length === 1) {
      await failAttempt(system, db, lease, items, refused ? 'refused' : 'no_model', error)
      return []
    }
  }
  // The model refused one of the texts. Each item is tried alone, so that the others get their vectors.
  const alone: Embedded[] = []
  for (const one of group) alone.push(...(await embedGroup(system, db, lease, [one])))
  return alone
}

async function withVectors(system: System, group: readonly Chunked[]): Promise<Embedded[]> {
  const vectors = await embedTexts(
    system,
    group.flatMap(({ texts }) => texts),
  )
  let next = 0
  return group.map(({ item, texts }) => ({
    item,
    entries: texts.map((_, chunk) => {
      const values = vectors[next++]
      if (!values) throw new Error('a chunk has no vector')
      const { id, row, vector_version: version, namespace } = item
      return { item: id, row, version, chunk, namespace, values }
    }),
  }))
}

/** Stores the vectors with one call for each project. Answers the items that succeeded; the others get a failed attempt. */
async function storeVectors(system: System, db: Database, lease: string, embedded: Embedded[]): Promise<Embedded[]> {
  const projects = [...Map.groupBy(embedded, ({ item }) => item.project_id)]
  const settled = await Promise.allSettled(
    projects.map(([projectId, own]) =>
      putVectors(
        system,
        own[0]?.item.tenant_id ?? '',
        projectId,
        own.flatMap(({ entries }) => entries),
      ),
    ),
  )
  const stored: Embedded[] = []
  for (const [index, result] of settled.entries()) {
    const own = projects[index]?.[1] ?? []
    if (result.status === 'fulfilled') stored.push(...own)
    else
      await failAttempt(
        system,
        db,
        lease,
        own.map(({ item }) => item),
        'no_vectors',
        result.reason,
      )
  }
  return stored
}

async function embedTexts(system: System, texts: readonly string[]): Promise<Float32Array[]> {
  const vectors: Float32Array[] = []
  for (let at = 0; at < texts.length; at += MAX_TEXTS) {
    vectors.push(...(await callModel(system, texts.slice(at, at + MAX_TEXTS), 'document')))
  }
  return vectors
}

/** Commits `completed` where the embedded version is still the current one. Removes the vectors of obsolete versions. */
async function complete(system: System, db: Database, lease: string, embedded: readonly Embedded[]): Promise<void> {
  if (embedded.length === 0) return
  const json = JSON.stringify(
    embedded.map(({ item, entries }) => ({ id: item.id, version: item.vector_version, chunks: entries.length })),
  )
  const { model, dimension } = system.embedder
  const [completed, events] = await db.batch<[Pick<ItemRecord, 'id'>, OutboxRow]>([
    db.statement(COMPLETE, json, lease, model, dimension),
    memoryEventsStatement(
      { ...system, db },
      { type: 'memory.embedding_complete', actor: 'system' },
      COMPLETED,
      json,
      lease,
    ),
  ])
  await enqueueEvents(system, events)
  if (completed.length === embedded.length) return
  const obsolete = new Set((await db.all<Pick<ItemRecord, 'id'>>(OBSOLETE, json)).map((row) => row.id))
  const outdated = embedded.filter(({ item }) => obsolete.has(item.id))
  for (const [projectId, own] of Map.groupBy(outdated, ({ item }) => item.project_id)) {
    await removeEntries(
      system,
      projectId,
      own.flatMap(({ entries }) => entries),
    )
  }
}

/** Texts of `embedding_error`. */
const FAILURES = {
  refused: 'The embedding model refused this text.',
  no_model: 'The embedding model did not answer.',
  no_vectors: 'The vectors could not be stored.',
}

/** Ends an attempt. The sweep sends the items again when their back-off is over. A refused text is `failed` at once. */
async function failAttempt(
  system: System,
  db: Database,
  lease: string,
  items: readonly Leased[],
  failure: keyof typeof FAILURES,
  cause: unknown,
): Promise<void> {
  const attempts = Math.max(...items.map((item) => item.attempts))
  const delayMs = backoffMs(attempts, RETRY_BASE_MS, RETRY_CAP_MS, (system.random(1)[0] ?? 0) / 255)
  const rows = await db.write<Pick<ItemRecord, 'id'>>(
    FAIL_ATTEMPT,
    JSON.stringify(items.map((item) => item.id)),
    lease,
    system.now() + delayMs,
    FAILURES[failure],
    failure === 'refused' ? 1 : 0,
  )
  system.log.error({ event: 'embed.failed', items: rows.length, attempts, failure, retry_in_ms: delayMs }, cause)
}
