import { z } from '@hono/zod-openapi'
import { auditRow, auditSetStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import type { RowOf } from '../../core/database/row.ts'
import { Age, oldestFirst } from '../../core/http/cursor.ts'
import { readCursor, sealCursor } from '../../core/http/sealed-cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { portions } from '../../core/values/portions.ts'
import { enqueueEvents, memoryEventsStatement, type OutboxRow } from '../../events/index.ts'
import { forbidden, permitsProject, ROLES_THAT, rolesSql } from '../../identity/index.ts'
import { accessParams, alive, membershipSql, targetProject } from '../access.ts'
import { PORTION_ROWS } from '../purge/tombstone.ts'
import type { ItemRecord } from '../item.ts'
import { isDue } from '../keyword/index-form.ts'
import type { memory_items } from '../table.ts'
import { runParts } from '../write/batch-parts.ts'
import { guarded, heldParams, isStamped, ITEM_NOT_ERASED, member } from '../write/commit-sql.ts'
import { eventSource } from '../write/event-source-sql.ts'
import { newTtl } from '../write/retention-sql.ts'
import { requireWritableProject } from '../write/writable-project.ts'

/** Items that one call looks at, and so changes at most. */
const MAX_EXAMINED = 1_000

const ApplyInput = z
  .strictObject({
    dry_run: z.boolean().default(false).meta({ description: 'Only count the items; change nothing.' }),
    cursor: z.string().max(1024).optional().meta({ description: '`next_cursor` from the previous call.' }),
  })
  .openapi('RetentionApply')

const ApplyReply = z
  .object({
    items: z.int().meta({ description: 'Items that expire earlier. With `dry_run`: that would.' }),
    expired: z.int().meta({ description: 'Those of them that are gone at once.' }),
    has_more: z.boolean().meta({ description: 'Whether there are further items: call again with `next_cursor`.' }),
    next_cursor: z.string().nullable(),
  })
  .openapi('RetentionApplied')
export type RetentionApplied = z.infer<typeof ApplyReply>

/** An item that the rules let expire earlier, at the version that was read. */
type Shortened = Pick<ItemRecord, 'id' | 'created_at'> & {
  base: ItemRecord['version']
  /** Its new expiry; null: the item keeps what it has. */
  ttl: number | null
  expires_at: number | null
}

const TTL = newTtl({ namespace: 'i.namespace', scope: 'i.scope', tags: 'i.tags', ttl: 'i.ttl' })

/** A ttl counts from when it was set, and that of a rule from when the item was stored. */
const SLICE = `
  with m as materialized (${membershipSql({ columns: ', p.retention' })} and m.role in (${rolesSql('manage')}))
  select id, base, created_at, iif(kept is ttl, null, kept) as ttl, iif(kept is ttl, null, since + 1000 * kept) as expires_at
  from (
    select i.id, i.version as base, i.created_at, i.ttl, iif(i.ttl is null, i.created_at, i.expires_at - 1000 * i.ttl) as since,
      iif(${alive()}, ${TTL}, i.ttl) as kept
    from m as p cross join memory_items i indexed by memory_items_by_project
    where i.project_id = p.id and i.deleted_at is null and (i.created_at, i.id) > (:after_at, :after_id)
    order by i.created_at, i.id limit ${MAX_EXAMINED + 1})
  order by created_at, id`

/** An item that has changed since keeps its expiry until the next call. */
const SHORTEN = `
  update memory_items set ttl = s.ttl, expires_at = s.expires_at, version = version + 1, write_id = :write_id,
    indexed_version = iif(${isDue('memory_items')}, indexed_version, version + 1), updated_by = :caller, updated_at = :now
  from (${guarded(`i.row as item, ${member('ttl')} as ttl, ${member('expires_at')} as expires_at`, ITEM_NOT_ERASED)}
    and m.role in (${rolesSql('manage')}) limit -1) s where memory_items.row = s.item
  returning id, expires_at`

/**
 * Sets the expiry of current items by the rules of their project, as if these had stood when they were stored: oldest first,
 * 1,000 a call, in commits of 100. What is set is no match of a later call, so a call that broke off can be repeated.
 */
export async function applyRetention(
  ctx: AuthContext,
  projectId: string,
  { dry_run, cursor }: z.output<typeof ApplyInput>,
): Promise<RetentionApplied> {
  const role = await requireWritableProject(ctx, targetProject(ctx, projectId))
  if (!permitsProject(ctx.principal, projectId)) throw forbidden('This key can access only a part of this project.')
  if (!ROLES_THAT.manage.includes(role))
    throw forbidden('Your role in this workspace cannot change the retention of projects.')
  const [after_at, after_id] = cursor ? await readCursor(ctx, 'retention', projectId, Age, cursor) : oldestFirst.start
  const slice = await ctx.db.all<Shortened>(SLICE, { ...accessParams(ctx), project: projectId, after_at, after_id })
  const examined = slice.slice(0, MAX_EXAMINED)
  const found = examined.filter(({ ttl }) => ttl !== null)
  ctx.trail.resourceIds = found.map(({ id }) => id)
  const last = examined.at(-1)
  const more = slice.length > MAX_EXAMINED && last !== undefined
  // The last item may be one that only its creator may read.
  const next_cursor = more ? await sealCursor(ctx, 'retention', projectId, [last.created_at, last.id]) : null
  const rest = { has_more: more, next_cursor }
  if (dry_run) return { ...counted(ctx, found), ...rest }
  const done: Pick<Shortened, 'expires_at'>[] = []
  for (const some of portions(found, PORTION_ROWS)) done.push(...(await shorten(ctx, projectId, some)))
  ctx.trail.committed = done.length > 0
  return { ...counted(ctx, done), ...rest }
}

const counted = (ctx: AuthContext, items: readonly Pick<Shortened, 'expires_at'>[]) => ({
  items: items.length,
  expired: items.filter(({ expires_at }) => expires_at !== null && expires_at <= ctx.now()).length,
})

async function shorten(
  ctx: AuthContext,
  projectId: string,
  items: readonly Shortened[],
): Promise<RowOf<typeof memory_items, 'id' | 'expires_at'>[]> {
  const { db, principal } = ctx
  // A call commits more than once, so each commit has a stamp of its own.
  const writeId = ctx.newId('req')
  const rows = items.map(({ id }) => ({
    key: id,
    row: auditRow(ctx, {
      principal,
      action: 'memory.update',
      outcome: 'success',
      requestId: ctx.requestId,
      trail: { resourceIds: [id], projectId, workspaceId: null },
    }),
  }))
  const shortened: RowOf<typeof memory_items, 'id' | 'expires_at'>[] = []
  const outbox: OutboxRow[] = []
  const statement = db.statement(SHORTEN, {
    ...accessParams(ctx),
    ...heldParams(ctx, null),
    items: JSON.stringify(items),
    write_id: writeId,
  })
  const events = JSON.stringify(items.map(({ id, base }) => ({ id, version: base + 1, reason: null })))
  const event = { type: 'memory.updated', actor: principal.userId } as const
  await runParts(db, [
    [[statement], shortened],
    [[memoryEventsStatement(ctx, event, eventSource(events, writeId))], outbox],
    [[auditSetStatement(ctx, rows, isStamped(writeId))]],
  ])
  ctx.waitUntil(enqueueEvents(ctx, db, outbox))
  return shortened
}

export const applyRetentionEndpoint = endpoint({
  method: 'post',
  path: '/v1/projects/{id}/retention/apply',
  operationId: 'applyRetention',
  refusals: { invalid_cursor: '`cursor` is not from this list' },
  tag: 'projects',
  summary: 'Apply retention to current items',
  description:
    'Sets the expiry of current items by the `retention` of the project, as if its rules had stood when they were stored: ' +
    'a `ttl` counts from when it was set, that of a rule from `created_at`. No expiry is put off. Examines 1,000 items per ' +
    'call; while `has_more` is true, call again with `next_cursor`. For owners and admins; also needs `read:memory`.',
  scope: 'write:memory',
  scopeForBody: () => 'read:memory',
  limit: 'write',
  audit: 'memory.update',
  params: IdParams,
  body: ApplyInput,
  reply: { 200: ApplyReply },
  errors: ['not_found', 'forbidden'],
  example: {
    params: { id: SAMPLE_IDS.project },
    body: { dry_run: true },
    reply: { items: 0, expired: 0, has_more: false, next_cursor: null },
  },
}).handle(({ ctx, params, body }) => applyRetention(ctx, params.id, body))
