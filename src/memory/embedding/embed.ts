import { countOutcome } from '../../audit/index.ts'
import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { sql } from '../../core/database/sql.ts'
import { enqueueEvents, memoryEventsStatement, type OutboxRow } from '../../events/index.ts'
import type { ItemRecord } from '../item.ts'
import { embedGroup, grouped, type Embedded } from './embed-group.ts'
import { COMPLETE, COMPLETED, OBSOLETE } from './embed-sql.ts'
import { Lease } from './lease.ts'
import { putVectors, removeEntries, removeVectors, type ProjectIn } from './vectors.ts'

/** Items of one claim, or fewer where their texts are long (`MAX_CLAIMED_BYTES`). */
export const MAX_CLAIMED = 50
/** Values of the vectors that are stored together, 2 MiB of them: many vectors of a project cost little more than one. */
const MAX_BUFFERED_VALUES = 512 * 1024
/**
 * On a laptop one process does everything, and reads the network only when it is idle. After so long it gets its turn. On
 * Cloudflare the clock stands still while an isolate computes.
 */
const TURN_MS = 5
/** A request needs several rounds of the event loop. Each reads the network once, and none waits where nothing is to be read. */
const ROUNDS_GIVEN = 3
/** Vectors are stored at least this often. So items need not wait for a slow model, and no lease runs out. */
const FLUSH_AFTER_MS = 1_000

/**
 * Embeds items: claim → chunk → model → vectors → complete (architecture §4). It skips items that another consumer holds
 * or that need no embedding, so it is safe to repeat. Answers the items that it has not tried: by `stopAt`, where the model
 * is down, or where the invocation has asked enough of D1. Throws only where the database does not answer.
 */
export async function embedItems(
  system: System,
  db: Database,
  ids: readonly string[],
  stopAt = Infinity,
): Promise<readonly string[]> {
  const lease = new Lease(system, db)
  let left = ids
  await lease.during(async () => {
    let buffered: Embedded[] = []
    let flushedAt = system.now()
    const flush = async () => {
      const flushing = buffered.filter(({ item }) => lease.holds(item))
      buffered = []
      flushedAt = system.now()
      await complete(system, db, lease, await storeVectors(system, db, lease, flushing))
    }
    try {
      let turnFrom = system.now()
      while (left.length > 0 && (left === ids || (system.now() < stopAt && !db.isSpent))) {
        if (system.embedder.down()) return await lease.postpone(left)
        const { claimed, left: unclaimed } = await lease.claim(left.slice(0, MAX_CLAIMED))
        left = [...unclaimed, ...left.slice(MAX_CLAIMED)]
        for (const group of grouped(system, claimed)) {
          if (system.now() - turnFrom >= TURN_MS) {
            for (let round = 0; round < ROUNDS_GIVEN; round++) await scheduler.wait(0)
            turnFrom = system.now()
          }
          buffered.push(...(await embedGroup(system, lease, group)))
          if (valuesOf(buffered) >= MAX_BUFFERED_VALUES || system.now() - flushedAt >= FLUSH_AFTER_MS) await flush()
        }
      }
    } finally {
      await flush()
    }
  })
  return left
}

const valuesOf = (embedded: readonly Embedded[]): number =>
  embedded.reduce((sum, { entries }) => sum + entries.length * (entries[0]?.values.length ?? 0), 0)

/** An item whose vectors are stored. */
interface Stored extends Embedded {
  /** The reader is stored with them. */
  isFiled: boolean
}

/** Stores the vectors with one call for each project. Answers the items that succeeded; the others get a failed attempt. */
async function storeVectors(system: System, db: Database, lease: Lease, embedded: Embedded[]): Promise<Stored[]> {
  const projects = [...Map.groupBy(embedded, ({ item }) => item.project_id)]
  const settled = await Promise.allSettled(
    projects.map(([projectId, own]) => storeOfProject(system, { shard: db.shard, projectId }, own)),
  )
  const stored: Stored[] = []
  for (const [index, result] of settled.entries()) {
    const own = projects[index]?.[1] ?? []
    if (result.status === 'fulfilled') stored.push(...own.map((one) => ({ ...one, isFiled: result.value })))
    else
      await lease.fail(
        own.map(({ item }) => item),
        'no_vectors',
        result.reason,
      )
  }
  return stored
}

/**
 * A text of which the model knows nothing has no vectors. The vectors of the item's older text are deleted. Answers whether
 * readers are stored with them.
 */
async function storeOfProject(system: System, project: ProjectIn, embedded: readonly Embedded[]): Promise<boolean> {
  const tenantId = embedded[0]?.item.tenant_id ?? ''
  const entries = embedded.flatMap((one) => one.entries)
  const blank = embedded.filter((one) => one.entries.length === 0)
  const isFiled = entries.length === 0 || (await putVectors(system, tenantId, project, entries))
  const older = blank.map(({ item }) => ({ item: item.id, version: item.vector_version }))
  await removeVectors(system, project, older)
  return isFiled
}

/** Commits `completed` where the embedded version is still the current one. Removes the vectors of obsolete versions. */
async function complete(system: System, db: Database, lease: Lease, embedded: readonly Stored[]): Promise<void> {
  if (embedded.length === 0) return
  const json = JSON.stringify(
    embedded.map(({ item, entries, isFiled }) => ({
      id: item.id,
      version: item.vector_version,
      chunks: entries.length,
      dimension: entries[0]?.values.length ?? system.embedder.dimension ?? 0,
      reader: isFiled ? item.reader : null,
    })),
  )
  const [completed, events] = await db.batch<[Pick<ItemRecord, 'id'>, OutboxRow]>([
    db.statement(COMPLETE, { items: json, lease: lease.id, model: system.embedder.model }),
    memoryEventsStatement(
      { ...system, db },
      { type: 'memory.embedding_complete', actor: 'system' },
      sql(COMPLETED, { items: json, lease: lease.id }),
    ),
  ])
  lease.settle(embedded.map(({ item }) => item))
  countOutcome(system, { family: 'embedding', labels: ['completed'], events: completed.length })
  await enqueueEvents(system, db, events)
  if (completed.length === embedded.length) return
  const obsolete = new Set((await db.all<Pick<ItemRecord, 'id'>>(OBSOLETE, { items: json })).map((row) => row.id))
  const outdated = embedded.filter(({ item }) => obsolete.has(item.id))
  for (const [projectId, own] of Map.groupBy(outdated, ({ item }) => item.project_id)) {
    await removeEntries(
      system,
      { shard: db.shard, projectId },
      own.flatMap(({ entries }) => entries),
    )
  }
}
