import type { System } from '../../core/context.ts'
import { backoffMs } from '../../core/values/backoff.ts'
import type { Database } from '../../core/database/database.ts'
import { TextRefused } from '../../core/embedding.ts'
import type { VectorEntry } from '../../core/ports.ts'
import { enqueueEvents, memoryEventsStatement, type OutboxRow } from '../../events/index.ts'
import { chunks } from './chunk.ts'
import { CLAIM, COMPLETE, COMPLETED, OBSOLETE, PUT_BACK } from './embed-sql.ts'
import { putVectors, takeBackVectors } from './vectors.ts'

const RETRY_BASE_MS = 10_000
const RETRY_CAP_MS = 30 * 60_000
/** Texts of one model call (architecture §9). */
const MAX_TEXTS = 100
/** Items claimed at once: their texts are read with the claim, and a text has up to 256 KB. */
const MAX_CLAIMED = 50
/** Vectors are stored together, since a project's cost little more than one: 2 MB of them at 1,024 dimensions … */
const MAX_HELD = 500
/** … or what came within this time, so that a slow model keeps nobody waiting and no lease runs out. */
const HOLD_MS = 1_000

/** An item under this worker's lease. */
interface Leased {
  row: number
  id: string
  tenant_id: string
  project_id: string
  namespace: string
  vector_version: number
  attempts: number
}

interface Claimed extends Leased {
  text: string
}

interface Prepared {
  item: Leased
  texts: string[]
}

/** An item with the vectors of its texts. */
interface Embedded {
  item: Leased
  entries: VectorEntry[]
}

/**
 * Embeds items: claim → chunk → model → vectors → complete (architecture §4). Items that another worker holds, or that
 * need nothing, are left alone, so it may be called any number of times. What fails is put back with a back-off or, at
 * last, `failed`; only a database that does not answer throws.
 */
export async function embedItems(system: System, db: Database, ids: readonly string[]): Promise<void> {
  const lease = system.newId('req')
  let held: Embedded[] = []
  let heldSince = system.now()
  const settle = async () => {
    const settling = held
    held = []
    heldSince = system.now()
    await complete(system, db, lease, await storeVectors(system, db, lease, settling))
  }
  try {
    for (let at = 0; at < ids.length; at += MAX_CLAIMED) {
      // On a laptop all of it is one process, which looks at the network only when nothing else is to be done.
      if (at > 0) await scheduler.wait(1)
      const portion = ids.slice(at, at + MAX_CLAIMED)
      const claimed = await db.write<Claimed>(CLAIM, JSON.stringify(portion), lease, system.now())
      for (const group of grouped(claimed, system.embedder.maxTokens)) {
        held.push(...(await embedGroup(system, db, lease, group)))
        const vectors = held.reduce((sum, { entries }) => sum + entries.length, 0)
        if (vectors >= MAX_HELD || system.now() - heldSince >= HOLD_MS) await settle()
      }
    }
  } finally {
    await settle()
  }
}

/** Groups of items, of whatever tenants, whose chunks fit into one model call; an item with more chunks stands alone. */
function grouped(items: readonly Claimed[], maxTokens: number): Prepared[][] {
  const groups: Prepared[][] = []
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

/** Answers those that have their vectors, and puts the others back. */
async function embedGroup(system: System, db: Database, lease: string, group: Prepared[]): Promise<Embedded[]> {
  try {
    return await withVectors(system, group)
  } catch (error) {
    const refused = error instanceof TextRefused
    const items = group.map(({ item }) => item)
    if (!refused || items.length === 1) {
      await putBack(system, db, lease, items, refused ? 'refused' : 'no_model', error)
      return []
    }
  }
  // One text that the model refuses must not hold up the others.
  const alone: Embedded[] = []
  for (const one of group) alone.push(...(await embedGroup(system, db, lease, [one])))
  return alone
}

async function withVectors(system: System, group: readonly Prepared[]): Promise<Embedded[]> {
  const vectors = await embedTexts(
    system,
    group.flatMap(({ texts }) => texts),
  )
  let next = 0
  return group.map(({ item, texts }) => ({
    item,
    entries: texts.map((_, chunk) => {
      const values = vectors[next++]
      if (values?.length !== system.embedder.dimension) throw new Error('the model answered vectors of another shape')
      const { id, row, vector_version: version, namespace } = item
      return { item: id, row, version, chunk, namespace, values }
    }),
  }))
}

/** Stores the vectors, a call for each project; answers the items that have them now and puts the others back. */
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
  for (const [index, outcome] of settled.entries()) {
    const own = projects[index]?.[1] ?? []
    if (outcome.status === 'fulfilled') stored.push(...own)
    else
      await putBack(
        system,
        db,
        lease,
        own.map(({ item }) => item),
        'no_vectors',
        outcome.reason,
      )
  }
  return stored
}

async function embedTexts(system: System, texts: readonly string[]): Promise<Float32Array[]> {
  const vectors: Float32Array[] = []
  for (let at = 0; at < texts.length; at += MAX_TEXTS) {
    vectors.push(...(await system.embedder.embed(texts.slice(at, at + MAX_TEXTS), 'document')))
  }
  return vectors
}

/** Commits `completed` where the version embedded is still the one wanted, and takes the other vectors back. */
async function complete(system: System, db: Database, lease: string, embedded: readonly Embedded[]): Promise<void> {
  if (embedded.length === 0) return
  const json = JSON.stringify(
    embedded.map(({ item, entries }) => ({ id: item.id, version: item.vector_version, chunks: entries.length })),
  )
  const { model, dimension } = system.embedder
  const [completed, events] = await db.batch<[{ id: string }, OutboxRow]>([
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
  const obsolete = new Set((await db.all<{ id: string }>(OBSOLETE, json)).map((row) => row.id))
  const unwanted = embedded.filter(({ item }) => obsolete.has(item.id))
  for (const [projectId, own] of Map.groupBy(unwanted, ({ item }) => item.project_id)) {
    await takeBackVectors(
      system,
      projectId,
      own.flatMap(({ entries }) => entries),
    )
  }
}

/** What `embedding_error` says. */
const FAILURES = {
  refused: 'The embedding model refused this text.',
  no_model: 'The embedding model did not answer.',
  no_vectors: 'The vectors could not be stored.',
}

/** Leaves items to the sweep, which sends them again when their back-off is over; a refused text is `failed` at once. */
async function putBack(
  system: System,
  db: Database,
  lease: string,
  items: readonly Leased[],
  failure: keyof typeof FAILURES,
  cause: unknown,
): Promise<void> {
  const attempts = Math.max(...items.map((item) => item.attempts))
  const delayMs = backoffMs(attempts, RETRY_BASE_MS, RETRY_CAP_MS, (system.random(1)[0] ?? 0) / 255)
  const rows = await db.write<{ id: string }>(
    PUT_BACK,
    JSON.stringify(items.map((item) => item.id)),
    lease,
    system.now() + delayMs,
    FAILURES[failure],
    failure === 'refused' ? 1 : 0,
  )
  system.log.error({ event: 'embed.failed', items: rows.length, attempts, failure, retry_in_ms: delayMs }, cause)
}
