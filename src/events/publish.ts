import { z } from '@hono/zod-openapi'
import { auditStatement } from '../audit/index.ts'
import { iso } from '../core/values/clock.ts'
import type { AuthContext } from '../core/context.ts'
import { and, sql } from '../core/database/sql.ts'
import { endpoint } from '../core/http/endpoint.ts'
import { SAMPLE_IDS, SAMPLE_QUESTION, SAMPLE_TIME } from '../core/sample.ts'
import { notFound } from '../core/errors.ts'
import { idOf, onlyTrue, timestamp } from '../core/http/fields.ts'
import { UNSAFE_INTEGER } from '../core/http/json/unsafe-integers.ts'
import { committedKey, replayOf, type StoredKey } from '../core/idempotency/claim.ts'
import { commitThenSend } from '../core/work.ts'
import { newEphemeralId } from '../hub/index.ts'
import { forbidden, rolesSql } from '../identity/index.ts'
import { mayReceive } from './access.ts'
import type { EventRow } from './event.ts'
import { eventStatement } from './outbox.ts'
import { outgoing } from './queue.ts'
import {
  channelFor,
  dataOf,
  destination,
  factsIn,
  Publish,
  type Destination,
  type PublishInput,
} from './publish-input.ts'
import { isEphemeral } from './typing.ts'

export const PublishedSchema = z
  .object({ event_id: idOf('evt'), published: onlyTrue, timestamp, recipients: z.int() })
  .openapi('PublishedEvent')
export type PublishedEvent = z.infer<typeof PublishedSchema>

/** SQL: the caller is a member of the workspace, and the project (if one is named) lives in it. */
const MEMBERSHIP = `
  from workspaces w join workspace_members m on m.workspace_id = w.id
  left join projects p on p.id = :project and p.workspace_id = w.id and p.deleted_at is null
  where w.id = coalesce(:workspace, (select workspace_id from projects where id = :project)) and w.tenant_id = :tenant
    and w.deleted_at is null and m.user_id = :caller and (:project is null or p.id is not null)`

/** The values of `MEMBERSHIP`. */
const memberParams = ({ principal }: AuthContext, { projectId, workspaceId }: Destination) => ({
  project: projectId,
  workspace: workspaceId,
  tenant: principal.tenantId,
  caller: principal.userId,
})

const RECIPIENTS = `
  select e.created_at, (select count(*) from workspace_members m
    where m.workspace_id = e.workspace_id and ${mayReceive('e', 'm.user_id')}) as recipients
  from events e where e.id = :id and e.tenant_id = :tenant and e.actor = :caller`

/** Publishes an event to the members who may read its project. The insert itself checks the caller's role. */
export async function publish(ctx: AuthContext, input: PublishInput): Promise<PublishedEvent> {
  const { principal, db } = ctx
  const channel = channelFor(ctx, input)
  const to = destination(ctx, input)
  const data = dataOf(ctx, input)
  // A typing event has no history, but its id resumes (contract §5).
  const id = isEphemeral(input.type) ? await newEphemeralId(ctx, principal.tenantId) : ctx.newId('evt')
  ctx.trail.resourceIds = [id]
  ctx.trail.projectId = to.projectId
  ctx.trail.workspaceId = to.workspaceId

  const key = ctx.idempotency && committedKey(ctx, ctx.idempotency, 202, id)
  const right = channel === 'system' ? 'manage' : 'write'
  const event = { id, tenantId: principal.tenantId, type: input.type, channel, ...to, data, ...factsIn(data) }
  const committed = sql('exists (select 1 from events where id = :id)', { id })
  const allowed = sql(`exists (select 1 ${MEMBERSHIP} and m.role in (${rolesSql(right)}))`, memberParams(ctx, to))
  const insert = outgoing(
    db,
    eventStatement(
      ctx,
      { ...event, actor: principal.userId, targets: input.targets ?? null },
      key ? and(allowed, key.holds) : allowed,
    ),
  )
  const recipients = db.statement(RECIPIENTS, { id, tenant: principal.tenantId, caller: principal.userId })
  const audit = auditStatement(ctx, 'events.publish', committed)
  const [counted, held] = key
    ? await commitThenSend<[never, never, never, RecipientsRow, StoredKey, never]>(ctx, db, [
        key.take,
        insert,
        audit,
        recipients,
        key.read,
        key.free(committed),
      ]).then(([, , , [count], [holder]]) => [count, holder] as const)
    : await commitThenSend<[never, never, RecipientsRow]>(ctx, db, [insert, audit, recipients]).then(
        ([, , [count]]) => [count, undefined] as const,
      )
  if (counted) return toPublished(id, counted)
  ctx.trail.committed = false
  // Another request with this key was faster, so its event is the answer.
  if (ctx.idempotency && held && held.write_id !== ctx.requestId) {
    return published(ctx, replayOf(ctx.idempotency, held).resource)
  }
  const isMember = await db.first(`select 1 ${MEMBERSHIP}`, memberParams(ctx, to))
  throw isMember ? forbidden('Your role here cannot publish this.') : notFound(to.projectId ? 'project' : 'workspace')
}

type RecipientsRow = Pick<EventRow, 'created_at'> & { recipients: number }

const toPublished = (id: string, row: RecipientsRow): PublishedEvent => ({
  event_id: id,
  published: true,
  timestamp: iso(row.created_at),
  recipients: row.recipients,
})

async function published(ctx: AuthContext, id: string): Promise<PublishedEvent> {
  const row = await ctx.db.first<RecipientsRow>(RECIPIENTS, {
    id,
    tenant: ctx.principal.tenantId,
    caller: ctx.principal.userId,
  })
  if (!row) throw notFound('event')
  return toPublished(id, row)
}

export const publishEndpoint = endpoint({
  method: 'post',
  path: '/api/events/publish',
  operationId: 'publishEvent',
  refusals: {
    ...UNSAFE_INTEGER,
    required: 'your own event type is sent without a `channel`',
    wrong_channel: 'the type does not belong to the channel',
    reserved: '`data` contains a state, a code or a sender that only the service can set',
    invalid_data: '`data` lacks a field that its type needs (see the events)',
    too_large: '`data` has more than 32 KiB as JSON',
  },
  tag: 'events',
  summary: 'Publish an event',
  description:
    'Delivers to all members who can read the project, or to those of them in `targets`. A built-in type belongs to its own ' +
    'channel; any other channel and `word.word` type is yours to use. Without `workspace_id` and `project_id`, the event ' +
    'goes to the default project. Filters read `conversation_id`, `namespace` and `scope` from `data`.',
  scope: 'write:events',
  limit: 'events.publish',
  limitWhenRefused: 'events.refused',
  audit: 'events.publish',
  body: Publish,
  reply: { 202: PublishedSchema },
  errors: ['not_found', 'forbidden'],
  idempotent: { mode: 'committed', replay: published },
  example: {
    body: { type: 'message.new', data: { conversation_id: 'chat-17', message: { text: SAMPLE_QUESTION } } },
    reply: { event_id: SAMPLE_IDS.event, published: true, timestamp: SAMPLE_TIME, recipients: 1 },
  },
}).handle(({ ctx, body }) => publish(ctx, body))
