import { auditRow, auditSetStatement } from '../../audit/index.ts'
import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { enqueueEvents, memoryEventsStatement, type OutboxRow } from '../../events/index.ts'
import { EVENT_SOURCE, IS_STAMPED, TOMBSTONE } from '../write/commit-sql.ts'
import type { DeleteReason } from '../table.ts'

/** Rows of one statement of a job (architecture §4). */
export const PORTION = 100

/** An item that a job is about to end. */
export interface Doomed {
  id: string
  tenant_id: string
  project_id: string
}

/**
 * Ends up to `PORTION` items on the service's own account: tombstones, with an audit row and an event each where
 * `told`. An item that was changed or deleted meanwhile is left alone where its reason no longer holds.
 */
export async function tombstone(
  system: System,
  db: Database,
  items: readonly Doomed[],
  { reason, told }: { reason: Exclude<DeleteReason, 'deleted'>; told: boolean },
): Promise<number> {
  const writeId = system.newId('req')
  const json = JSON.stringify(items.map(({ id }) => ({ id, version: null, reason })))
  const ended = db.statement(TOMBSTONE, system.now(), writeId, json, reason)
  if (!told) {
    const [rows] = await db.batch<[{ id: string }]>([ended])
    return rows.length
  }
  const event = { type: 'memory.deleted', actor: 'system' } as const
  const [rows, events] = await db.batch<[{ id: string }, OutboxRow, never]>([
    ended,
    memoryEventsStatement({ ...system, db }, event, EVENT_SOURCE, json, writeId),
    auditSetStatement(
      { ...system, db },
      items.map((item) => ({ key: item.id, row: systemRow(system, item, reason, writeId) })),
      IS_STAMPED,
      writeId,
    ),
  ])
  await enqueueEvents(system, events)
  return rows.length
}

const systemRow = (system: System, item: Doomed, reason: DeleteReason, requestId: string) =>
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
