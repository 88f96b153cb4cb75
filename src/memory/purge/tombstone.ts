import { auditRow, auditSetStatement } from '../../audit/index.ts'
import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { enqueueEvents, memoryEventsStatement, type OutboxRow } from '../../events/index.ts'
import type { ItemRef } from '../item.ts'
import type { DeleteReason, memory_items } from '../table.ts'
import { runParts, withoutMerges } from '../write/batch-parts.ts'
import { isStamped, TOMBSTONE_ITEMS } from '../write/commit-sql.ts'
import { eventSource } from '../write/event-source-sql.ts'
import type { RowOf } from '../../core/database/row.ts'

/** Rows that one statement of a sweep, a purge or a bulk deletion touches. */
export const PORTION_ROWS = 100

/**
 * Turns up to `PORTION_ROWS` items into tombstones on the service's own account. `announce` adds an audit row and an
 * event for each. It leaves an item alone that has been deleted since or whose expiry was put off.
 */
export async function tombstone(
  system: System,
  db: Database,
  items: readonly ItemRef[],
  { reason, announce }: { reason: Exclude<DeleteReason, 'deleted'>; announce: boolean },
): Promise<number> {
  const writeId = system.newId('req')
  const json = JSON.stringify(items.map(({ id }) => ({ id, version: null, reason })))
  const deletion = db.statement(TOMBSTONE_ITEMS, { items: json, write_id: writeId, now: system.now(), reason })
  const deleted: RowOf<typeof memory_items, 'id'>[] = []
  if (!announce) {
    await runParts(db, withoutMerges(db, [[[deletion], deleted]]))
    return deleted.length
  }
  const event = { type: 'memory.deleted', actor: 'system' } as const
  const outbox: OutboxRow[] = []
  const audit = items.map((item) => ({ key: item.id, row: systemRow(system, item, reason, writeId) }))
  await runParts(
    db,
    withoutMerges(db, [
      [[deletion], deleted],
      [[memoryEventsStatement({ ...system, db }, event, eventSource(json, writeId))], outbox],
      [[auditSetStatement({ ...system, db }, audit, isStamped(writeId))]],
    ]),
  )
  await enqueueEvents(system, db, outbox)
  return deleted.length
}

const systemRow = (system: System, item: ItemRef, reason: DeleteReason, requestId: string) =>
  auditRow(system, {
    principal: {
      userId: 'system',
      tenantId: item.tenant_id,
      credential: { kind: 'system', id: reason, environment: null, appId: null },
    },
    action: 'memory.delete',
    outcome: 'success',
    requestId,
    trail: { resourceIds: [item.id], projectId: item.project_id, workspaceId: null },
  })
