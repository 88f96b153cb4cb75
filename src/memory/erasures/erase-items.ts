import { auditInsert, auditRow } from '../../audit/index.ts'
import type { System } from '../../core/context.ts'
import { abortUnless, isAborted } from '../../core/database/abort.ts'
import type { Database, Statement } from '../../core/database/database.ts'
import { sql } from '../../core/database/sql.ts'
import { portions } from '../../core/values/portions.ts'
import {
  emptyStatements,
  enqueueEvents,
  eventsOfItems,
  memoryEventsStatement,
  portionOf,
  type OutboxRow,
} from '../../events/index.ts'
import { PORTION_ROWS } from '../purge/tombstone.ts'
import type { ItemRef } from '../item.ts'
import { abortUnlessAllWritten } from '../write/all-or-nothing.ts'
import { runParts, withoutMerges } from '../write/batch-parts.ts'
import { TOMBSTONE_ITEMS } from '../write/commit-sql.ts'
import { erasedSource } from '../write/event-source-sql.ts'
import { digestOf } from './digest.ts'
import { EVENT_ROWS, emptyPortion } from './erase-events.ts'
import { ITEMS_OF, placeParams } from './place.ts'
import type { Running } from './run.ts'
import type { ErasureKind } from './table.ts'

/** Items that one look finds. They are sorted by id, so a look costs as much as all that are left. */
const ITEMS_A_LOOK = 1_000

type Found = Pick<ItemRef, 'id' | 'project_id'>

const next = (kind: ErasureKind): string =>
  `select i.id, i.project_id from ${ITEMS_OF[kind]} order by i.id limit ${ITEMS_A_LOOK}`

/** The conversations of the items of a portion, from which it is seen later whether an item is left. */
const KEEP_CONVERSATIONS = `
  insert into erasure_conversations (erasure_id, project_id, conversation_id)
  select distinct :erasure, i.project_id, i.conversation_id from json_each(:items) e
  cross join memory_items i on i.id = e.value ->> 'id' where i.conversation_id is not null on conflict do nothing`

/** Comes before they become tombstones, which are not retired. */
const COUNT_RETIRED = `
  update erasures set retired = erasures.retired + (select count(*) from json_each(:items) e
    cross join memory_items i on i.id = e.value ->> 'id' where i.retired_at is not null)
  where erasures.id = :erasure`

/** Goes on from the digest that the portion was planned on. */
const COUNT = `
  update erasures set digest = :digest, items = erasures.items + n.items, versions = erasures.versions + n.versions,
    vectors = erasures.vectors + n.vectors
  from (select count(*) as items, coalesce(sum(i.chunk_count), 0) as vectors,
      coalesce(sum((select count(*) from memory_versions v where v.item_row = i.row)), 0) as versions
    from json_each(:items) e cross join memory_items i on i.id = e.value ->> 'id' where i.write_id = :write_id) n
  where erasures.id = :erasure`

/** Erases the items that one look finds, and answers whether there were none. */
export async function eraseItems(system: System, db: Database, erasure: Running): Promise<boolean> {
  const found = await db.all<Found>(next(erasure.kind), placeParams(erasure))
  let { digest } = erasure
  for (const items of portions(found, PORTION_ROWS)) {
    if (db.isSpent) break
    const after = await erasePortion(system, db, { ...erasure, digest }, items)
    if (after === null) break
    digest = after
  }
  return found.length === 0
}

/**
 * Erases the items of a portion in one commit, and answers the digest after it. Null: another chain was faster, or an item
 * went in another way, and nothing was written.
 */
async function erasePortion(
  system: System,
  db: Database,
  erasure: Running,
  items: readonly Found[],
): Promise<string | null> {
  const ids = items.map(({ id }) => id)
  const writeId = system.newId('req')
  const json = JSON.stringify(items.map(({ id }) => ({ id, version: null, reason: 'erased' })))
  while (await emptyPortion(db, erasure.id, await portionOf(db, eventsOfItems(json), EVENT_ROWS)))
    if (db.isSpent) return null
  const digest = await digestOf(erasure.digest, ids)
  const set = { items: json, erasure: erasure.id }
  const stillThere = sql(
    `exists (select 1 from erasures where id = :erasure and status = 'running' and digest = :before)`,
    {
      erasure: erasure.id,
      before: erasure.digest,
    },
  )
  const outbox: OutboxRow[] = []
  const event = { type: 'memory.deleted', actor: 'system' } as const
  try {
    await runParts(
      db,
      withoutMerges(db, [
        [[abortUnless(db, stillThere), db.statement(KEEP_CONVERSATIONS, set), db.statement(COUNT_RETIRED, set)]],
        [[db.statement(TOMBSTONE_ITEMS, { items: json, write_id: writeId, now: system.now(), reason: 'erased' })]],
        [[abortUnlessAllWritten(db, ids, writeId), db.statement(COUNT, { ...set, digest, write_id: writeId })]],
        [emptyStatements(db, eventsOfItems(json))],
        [[memoryEventsStatement({ ...system, db }, event, erasedSource(json, writeId))], outbox],
        [auditStatements(system, db, erasure, items)],
      ]),
    )
  } catch (error) {
    if (isAborted(error)) return null
    throw error
  }
  await enqueueEvents(system, db, outbox)
  return digest
}

/** One row of each project, which names the erasure and its items: what the digest is made of. */
const auditStatements = (system: System, db: Database, erasure: Running, items: readonly Found[]): Statement[] =>
  [...Map.groupBy(items, (item) => item.project_id)].map(([projectId, own]) => {
    const row = auditRow(system, {
      principal: {
        userId: erasure.requested_by,
        tenantId: erasure.tenantId,
        credential: { kind: 'system', id: 'erased', environment: null, appId: null },
      },
      action: 'memory.erase',
      outcome: 'success',
      requestId: erasure.id,
      trail: { resourceIds: [erasure.id, ...own.map(({ id }) => id)], projectId, workspaceId: null },
    })
    return auditInsert(system, db, row)
  })
