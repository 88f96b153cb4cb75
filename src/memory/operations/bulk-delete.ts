import { z } from '@hono/zod-openapi'
import { auditRow, auditSetStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { portions, portionsBySize } from '../../core/values/portions.ts'
import { Filters } from '../filter/filter.ts'
import { furtherPermits, hasConditions } from '../filter/filter-permits.ts'
import { enqueueEvents, memoryEventsStatement, type OutboxRow } from '../../events/index.ts'
import { accessParams, targetProject, writable } from '../access.ts'
import { DELETE_ITEMS, heldParams, isStamped } from '../write/commit-sql.ts'
import { eventSource } from '../write/event-source-sql.ts'
import { ReadContext } from '../filter/read-context.ts'
import type { ItemRecord } from '../item.ts'
import { readScope, type ReadScope } from '../filter/read-scope.ts'
import { FIRST, scan } from '../filter/scan.ts'
import { PORTION_ROWS } from '../purge/tombstone.ts'
import { statusesOf, StatusFilter } from '../retirement/status-filter.ts'
import { runParts, withoutMerges } from '../write/batch-parts.ts'
import { requireWritableProject } from '../write/writable-project.ts'
import type { RowOf } from '../../core/database/row.ts'
import type { memory_items } from '../table.ts'
import { FILTER_REFUSALS } from '../refusals.ts'

/** One call deletes up to this many items (contract §3). */
export const MAX_DELETED = 1_000

export const BulkDeleteInput = z
  .strictObject({
    context: ReadContext.optional(),
    filters: Filters,
    status: StatusFilter,
    dry_run: z.boolean().default(false).meta({ description: 'Only count the items; delete nothing.' }),
  })
  .openapi('MemoryBulkDelete')
type BulkDelete = z.output<typeof BulkDeleteInput>

const LABELS = ['scope', 'conversation_id', 'document_id', 'session_id', 'subject'] as const

/** Whether the answer tells what the items of a place hold: it counts those that match. */
const tells = ({ context = {}, filters, status, dry_run }: BulkDelete): boolean =>
  dry_run || status === 'retired' || hasConditions(filters) || LABELS.some((label) => context[label] !== undefined)

export const BulkDeleteReply = z
  .object({
    deleted: z.int().meta({ description: 'With `dry_run`: the number that would be deleted.' }),
    has_more: z.boolean().meta({ description: 'Whether more items match: call again to delete them.' }),
  })
  .openapi('MemoryBulkDeleted')

/** An item to delete, at the version that was read. */
type Match = Pick<ItemRecord, 'id'> & { base: ItemRecord['version']; bytes: number }

/** Texts and metadata that one commit erases: their pages are freed, and a commit holds the database. */
const MAX_COMMIT_BYTES = 1024 * 1024

/** One statement of the look-up evaluates this many conditions on metadata at most: the next items may cost more than those before. */
const MAX_EVALUATED = 8_000
const MIN_LOOKED_AT = 100

/**
 * Deletes items of one project that match the filters and that the caller may change: oldest first, up to 1,000 a call,
 * in commits of 100 at most. An item that changes in between stays, and the next call finds it.
 */
export async function bulkDelete(
  ctx: AuthContext,
  { context = {}, filters, status, dry_run }: BulkDelete,
): Promise<z.infer<typeof BulkDeleteReply>> {
  const target = targetProject(ctx, context.project_id)
  await requireWritableProject(ctx, target)
  const found: Match[] = []
  for (const one of statusesOf(status)) {
    const scope = readScope(ctx.principal, target.projectId, context, filters, one)
    found.push(...(await matchesIn(ctx, scope, MAX_DELETED + 1 - found.length)))
  }
  const matches = found.slice(0, MAX_DELETED)
  ctx.trail.resourceIds = matches.map(({ id }) => id)
  if (dry_run) return { deleted: matches.length, has_more: found.length > MAX_DELETED }
  let deleted = 0
  for (const [at, some] of commitsOf(matches).entries()) {
    if (at > 0) await scheduler.wait(1)
    deleted += await deletePortion(
      ctx,
      target.projectId,
      some.map(({ id, base }) => ({ id, base })),
    )
  }
  ctx.trail.committed = deleted > 0
  return { deleted, has_more: found.length > deleted }
}

async function matchesIn(ctx: AuthContext, scope: ReadScope, wanted: number): Promise<Match[]> {
  if (wanted === 0) return []
  const scanned = await scan<Match>(ctx, scope, {
    columns: 'i.id, i.version as base, octet_length(i.text) + octet_length(i.metadata) as bytes',
    ascending: true,
    after: FIRST,
    wanted,
    where: writable(),
    maxSlice: Math.max(MIN_LOOKED_AT, Math.floor(MAX_EVALUATED / (1 + scope.metadataConditions))),
  })
  return scanned?.rows ?? []
}

const commitsOf = (matches: readonly Match[]): Match[][] =>
  portions(matches, PORTION_ROWS).flatMap((some) => portionsBySize(some, MAX_COMMIT_BYTES, ({ bytes }) => bytes))

async function deletePortion(
  ctx: AuthContext,
  projectId: string,
  items: readonly Omit<Match, 'bytes'>[],
): Promise<number> {
  const { db, principal, requestId } = ctx
  const json = JSON.stringify(items)
  const eventsJson = JSON.stringify(items.map(({ id, base }) => ({ id, version: base, reason: null })))
  const event = { type: 'memory.deleted', actor: principal.userId } as const
  const rows = items.map(({ id }) => {
    const trail = { resourceIds: [id], projectId, workspaceId: null }
    return {
      key: id,
      row: auditRow(ctx, { principal, action: 'memory.delete', outcome: 'success', requestId, trail }),
    }
  })
  const deletion = db.statement(DELETE_ITEMS, {
    ...accessParams(ctx),
    ...heldParams(ctx, null),
    items: json,
    write_id: requestId,
  })
  const deleted: RowOf<typeof memory_items, 'id'>[] = []
  const outbox: OutboxRow[] = []
  await runParts(
    db,
    withoutMerges(db, [
      [[deletion], deleted],
      [[memoryEventsStatement(ctx, event, eventSource(eventsJson, requestId))], outbox],
      [[auditSetStatement(ctx, rows, isStamped(requestId))]],
    ]),
  )
  ctx.waitUntil(enqueueEvents(ctx, ctx.db, outbox))
  return deleted.length
}

export const bulkDeleteEndpoint = endpoint({
  method: 'post',
  path: '/v1/memory/delete',
  operationId: 'deleteMemories',
  refusals: FILTER_REFUSALS,
  tag: 'memory',
  summary: 'Delete items by filter',
  description:
    'Deletes up to 1,000 items per call in one project (and one namespace, unless it is `*`). While `has_more` is true, call again. ' +
    'Items that you can read but not change are kept. `filters: {}` matches all items. Other filters, `dry_run`, and a context that names more than project and namespaces, also need `read:memory`.',
  scope: 'write:memory',
  scopeForBody: (body: BulkDelete) => (tells(body) ? 'read:memory' : null),
  limit: 'write',
  audit: 'memory.delete',
  body: BulkDeleteInput,
  reply: { 200: BulkDeleteReply },
  errors: ['not_found', 'forbidden'],
  example: { body: { filters: { tags: ['ada'] }, dry_run: true }, reply: { deleted: 2, has_more: false } },
}).handle(async ({ ctx, body, charge }) => {
  await charge(furtherPermits(body.filters))
  return bulkDelete(ctx, body)
})
