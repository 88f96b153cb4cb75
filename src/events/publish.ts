import { z } from '@hono/zod-openapi'
import { auditStatement } from '../audit/index.ts'
import { iso } from '../core/clock.ts'
import type { Ctx } from '../core/context.ts'
import type { SqlValue } from '../core/db.ts'
import { endpoint } from '../core/endpoint.ts'
import { AppError, invalid, notFound } from '../core/errors.ts'
import { anyId, idOf, timestamp } from '../core/fields.ts'
import { committedKey, replayOf, type StoredKey } from '../core/idempotency.ts'
import { defaultProject, forbidden, permissionFor, permits, rolesSql } from '../identity/index.ts'
import { mayHear } from './access.ts'
import {
  CATALOG,
  channelName,
  channelOf,
  isEphemeral,
  MAX_DATA_BYTES,
  targetIds,
  travelsOn,
  typeName,
  TYPING_LIFE_MS,
  type EventType,
} from './catalog.ts'
import { newEphemeralId } from './ephemeral-id.ts'
import { enqueueEvents, eventStatement } from './outbox.ts'

const EventData = z
  .record(z.string(), z.unknown())
  .refine((data) => new TextEncoder().encode(JSON.stringify(data)).byteLength <= MAX_DATA_BYTES, {
    message: 'At most 32 KiB of JSON.',
    params: { code: 'too_large' },
  })

export const Publish = z
  .strictObject({
    type: typeName,
    channel: channelName.optional(),
    data: EventData,
    workspace_id: anyId.optional(),
    project_id: anyId.optional(),
    targets: targetIds.optional(),
  })
  .openapi('PublishEvent')
type PublishInput = z.output<typeof Publish>

export const PublishedSchema = z
  .object({ event_id: idOf('evt'), published: z.literal(true), timestamp, recipients: z.int() })
  .openapi('PublishedEvent')
type Published = z.infer<typeof PublishedSchema>

/** Where an event goes: a project, or a whole workspace. */
interface Destination {
  projectId: string | null
  workspaceId: string | null
}

/** The caller is a member of the workspace, in which the project (if there is one) is alive; binds ?, as `memberValues`. */
const MEMBERSHIP = `
  from workspaces w join workspace_members m on m.workspace_id = w.id
  left join projects p on p.id = ? and p.workspace_id = w.id and p.deleted_at is null
  where w.id = coalesce(?, (select workspace_id from projects where id = ?)) and w.tenant_id = ?
    and w.deleted_at is null and m.user_id = ? and (? is null or p.id is not null)`

const memberValues = ({ principal }: Ctx, { projectId, workspaceId }: Destination): SqlValue[] => [
  projectId,
  workspaceId,
  projectId,
  principal.tenantId,
  principal.userId,
  projectId,
]

const RECIPIENTS = `
  select e.created_at, (select count(*) from workspace_members m
    where m.workspace_id = e.workspace_id and ${mayHear('e', 'm.user_id')}) as recipients
  from events e where e.id = ? and e.tenant_id = ? and e.actor = ?`

/** Publishes an event to the members who may read its project; the role is checked by the insert itself. */
export async function publish(ctx: Ctx, input: PublishInput): Promise<Published> {
  const { principal, db } = ctx
  const channel = channelFor(ctx, input)
  const to = destination(ctx, input)
  const data = dataOf(ctx, input)
  // A typing event leaves no history, yet its id resumes (contract §5).
  const id = isEphemeral(input.type) ? await newEphemeralId(ctx, principal.tenantId) : ctx.newId('evt')
  ctx.trail.resourceIds = [id]
  ctx.trail.projectId = to.projectId
  ctx.trail.workspaceId = to.workspaceId

  const key = ctx.idempotency && committedKey(ctx, ctx.idempotency, 202, id)
  const right = channel === 'system' ? 'manage' : 'write'
  const event = { id, tenantId: principal.tenantId, type: input.type, channel, ...to, data, ...factsIn(data) }
  const happened = 'exists (select 1 from events where id = ?)'
  const insert = eventStatement(
    ctx,
    { ...event, actor: principal.userId, targets: input.targets ?? null },
    `exists (select 1 ${MEMBERSHIP} and m.role in (${rolesSql(right)}))${key ? ` and ${key.holds}` : ''}`,
    ...memberValues(ctx, to),
    ...(key?.values ?? []),
  )
  const recipients = db.statement(RECIPIENTS, id, principal.tenantId, principal.userId)
  const results = await db.batch<unknown[]>([
    ...(key ? [key.take] : []),
    insert,
    auditStatement(ctx, 'events.publish', happened, id),
    recipients,
    ...(key ? [key.read, key.free(happened, id)] : []),
  ])
  const [, , counted, held] = (key ? results.slice(1) : results) as [unknown, unknown, RecipientsRow[], StoredKey[]]
  if (counted[0]) {
    ctx.waitUntil(enqueueEvents(ctx, [{ id }]))
    return toPublished(id, counted[0])
  }
  ctx.trail.committed = false
  const holder = held?.[0]
  // Another request with this key was faster; what it made is answered by the retry.
  if (ctx.idempotency && holder && holder.write_id !== ctx.requestId) {
    return published(ctx, replayOf(ctx.idempotency, holder).resource)
  }
  const seen = await db.first(`select 1 ${MEMBERSHIP}`, ...memberValues(ctx, to))
  throw seen ? forbidden('Your role here does not publish this.') : notFound(to.projectId ? 'project' : 'workspace')
}

function channelFor(ctx: Ctx, { type, channel: named }: PublishInput): string {
  const channel = named ?? channelOf(type)
  if (channel === undefined) throw invalid('channel', 'required', 'A type of your own needs a channel.')
  if (!travelsOn(type, channel)) {
    throw invalid('channel', 'wrong_channel', `The type ${type} does not travel on the channel ${channel}.`)
  }
  if (channel === 'memory') throw forbidden('Memory events are published by the service alone.')
  if (channel === 'system' && !ctx.principal.scopes.includes('admin:workspace')) {
    throw new AppError('insufficient_scope', {
      detail: 'System events need the scope admin:workspace.',
      headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="admin:workspace"' },
    })
  }
  return channel
}

/** Without a workspace the named project's, else the default project's; the credential's own limits hold here. */
function destination({ principal }: Ctx, input: PublishInput): Destination {
  const projectId = input.project_id ?? (input.workspace_id === undefined ? defaultProject(principal) : null)
  if (projectId === null) {
    if (principal.permissions !== null) throw forbidden('A key that is limited to projects publishes in projects only.')
  } else if (!permits(principal, projectId, 'write', factsIn(input.data).namespace ?? undefined)) {
    throw permissionFor(principal, projectId) ? forbidden('This key does not write here.') : notFound('project')
  }
  return { projectId, workspaceId: input.workspace_id ?? null }
}

function dataOf(ctx: Ctx, { type, data }: PublishInput): Record<string, unknown> {
  const whole = type === 'typing.start' ? { ...data, expires_at: iso(ctx.now() + TYPING_LIFE_MS) } : data
  const own = channelOf(type) === undefined ? null : CATALOG[type as EventType].data.safeParse(whole)
  if (own && !own.success) {
    const [issue] = own.error.issues
    throw invalid(`data.${issue?.path.join('.') ?? ''}`, 'invalid_data', `${type}: ${issue?.message ?? 'invalid data'}`)
  }
  return whole
}

/** The members of `data` that filters may ask for. */
function factsIn(data: Record<string, unknown>): Record<'conversationId' | 'namespace' | 'scope', string | null> {
  const stringAt = (key: string): string | null => {
    const value = data[key]
    return typeof value === 'string' ? value : null
  }
  return { conversationId: stringAt('conversation_id'), namespace: stringAt('namespace'), scope: stringAt('scope') }
}

interface RecipientsRow {
  created_at: number
  recipients: number
}

const toPublished = (id: string, row: RecipientsRow): Published => ({
  event_id: id,
  published: true,
  timestamp: iso(row.created_at),
  recipients: row.recipients,
})

async function published(ctx: Ctx, id: string): Promise<Published> {
  const row = await ctx.db.first<RecipientsRow>(RECIPIENTS, id, ctx.principal.tenantId, ctx.principal.userId)
  if (!row) throw notFound('event')
  return toPublished(id, row)
}

export const publishEndpoint = endpoint({
  method: 'post',
  path: '/api/events/publish',
  tag: 'events',
  summary: 'Publish an event',
  description:
    'Goes to all members who may read the project, or to those of them in `targets`. A given type travels on its own ' +
    'channel; any other channel and `word.word` type is yours. Without `workspace_id` and `project_id` the default ' +
    'project is meant. Filters read `conversation_id`, `namespace` and `scope` from `data`.',
  scope: 'write:events',
  limit: 'events.publish',
  givesBack: true,
  audit: 'events.publish',
  body: Publish,
  reply: { 202: PublishedSchema },
  errors: ['not_found', 'forbidden'],
  idempotent: { mode: 'committed', resource: (result: Published) => result.event_id, replay: published },
  example: {
    body: { type: 'message.new', data: { conversation_id: 'c-42', message: { text: 'Hello' } } },
    reply: {
      event_id: 'evt_01K8E3Z4T7Q9V6N2M5B8C1D0FG',
      published: true,
      timestamp: '2026-11-21T09:30:00.000Z',
      recipients: 3,
    },
  },
}).handle(({ ctx, body }) => publish(ctx, body))
