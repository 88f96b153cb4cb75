import { ulid } from 'ulidx'
import type { System } from '../core/context.ts'
import type { Database, SqlValue, Statement } from '../core/database/database.ts'
import { joining } from '../core/batching/join.ts'
import type { Notification } from '../core/ports.ts'
import { isEphemeral, TYPING_LIFE_MS, type EventType } from './catalog.ts'

/** Events, deliveries and attempts are kept this long (contract §5). */
export const KEPT_MS = 30 * 24 * 3_600_000
/** An event that no fan-out has settled by then is sent again by the sweep. */
export const RESEND_AFTER_MS = 30_000

/** A request's `ctx`, or `{ ...system, db }` in a job. */
export type OutboxContext = Pick<System, 'now' | 'newId'> & { readonly db: Database }

/** An event to be committed with its cause. */
export interface NewEvent {
  /** Default: a new one. */
  id?: string
  tenantId: string
  type: string
  channel: string
  /** Audience: who may read this project, else this workspace; without both `targets` alone. */
  projectId?: string | null
  /** Default: the project's. */
  workspaceId?: string | null
  namespace?: string | null
  scope?: string | null
  conversationId?: string | null
  /** Default `project`. On `private` hear it: `creator`, `readers`, and admins of the workspace. */
  visibility?: 'project' | 'private'
  creator?: string | null
  readers?: readonly string[]
  /** A user id, or `system`. */
  actor: string
  targets?: readonly string[] | null
  data: Record<string, unknown>
}

const COLUMNS = `id, tenant_id, type, channel, workspace_id, project_id, namespace, scope, conversation_id, visibility,
  creator, readers, actor, targets, data, created_at, resend_at, expires_at`

/**
 * The statement that puts one event into its cause's own commit; its row is `{id}`, to be enqueued after the commit.
 * `onlyIf` is a condition in SQL (plain `?` for its values) under which the cause took place.
 */
export function eventStatement(ctx: OutboxContext, event: NewEvent, onlyIf = '1', ...values: SqlValue[]): Statement {
  const now = ctx.now()
  return ctx.db.statement(
    `insert into events (${COLUMNS})
     select ?1, ?2, ?3, ?4, coalesce(?5, (select workspace_id from projects where id = ?6)), ?6, ?7, ?8, ?9, ?10,
       ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18
     where ${onlyIf} returning id`,
    event.id ?? ctx.newId('evt'),
    event.tenantId,
    event.type,
    event.channel,
    event.workspaceId ?? null,
    event.projectId ?? null,
    event.namespace ?? null,
    event.scope ?? null,
    event.conversationId ?? null,
    event.visibility ?? 'project',
    event.creator ?? null,
    JSON.stringify(event.readers ?? []),
    event.actor,
    event.targets ? JSON.stringify(event.targets) : null,
    JSON.stringify(event.data),
    now,
    now + RESEND_AFTER_MS,
    now + (isEphemeral(event.type) ? TYPING_LIFE_MS : KEPT_MS),
    ...values,
  )
}

/** An event of a tenant in which nobody listens, neither a subscription nor a socket, has nowhere to go. */
const UNHEARD = `not exists (select 1 from subscriptions x where x.tenant_id = p.tenant_id and x.deleted_at is null)
  and not exists (select 1 from presence x where x.tenant_id = p.tenant_id)`
/** A commit is no later than this after the instant that it bears: D1's own limit. */
const COMMIT_MS = 30_000

/** A committed event; one that bears `settled_at` needs no fan-out. */
export interface OutboxRow {
  id: string
  settled_at?: number | null
}

export const unsettled = (rows: readonly OutboxRow[]): string[] =>
  rows.filter((row) => row.settled_at == null).map((row) => row.id)

export type MemoryEventType = Extract<EventType, `memory.${string}`>

/**
 * Memory events as a set: one for each row of `source`, a `select` (plain `?` for its values) with the columns
 * `memory_id, project_id, namespace, scope, conversation_id, version, visibility, creator, readers, reason`;
 * `readers` is a JSON array of user ids. Answers `OutboxRow`s, to be enqueued after the commit. Where nobody listens an
 * event is history only, settled from the start: a socket that opens after this commit finds it there (`missedEvents`).
 */
export function memoryEventsStatement(
  ctx: OutboxContext,
  event: { type: MemoryEventType; actor: string },
  source: string,
  ...values: SqlValue[]
): Statement {
  const now = ctx.now()
  // A ULID made in SQL: its ten characters of time, and 64 random bits in hexadecimal, which Crockford's digits contain.
  return ctx.db.statement(
    `insert into events (${COLUMNS}, fanned_out_at, settled_at)
     select ?1 || hex(randomblob(8)), p.tenant_id, ?2, 'memory', p.workspace_id, s.project_id, s.namespace, s.scope,
       s.conversation_id, s.visibility, s.creator, coalesce(s.readers, '[]'), ?3, null,
       json_patch('{}', json_object('memory_id', s.memory_id, 'project_id', s.project_id, 'namespace', s.namespace,
         'scope', s.scope, 'conversation_id', s.conversation_id, 'version', s.version, 'actor', ?3, 'reason', s.reason)),
       ?4, ?5, ?6, case when ${UNHEARD} then ?4 end, case when ${UNHEARD} then ?4 + ${COMMIT_MS} end
     from (${source}) s cross join projects p on p.id = s.project_id
     returning id, settled_at`,
    `evt_${ulid(now, () => 0).slice(0, 10)}`,
    event.type,
    event.actor,
    now,
    now + RESEND_AFTER_MS,
    now + KEPT_MS,
    ...values,
  )
}

/**
 * For the commit that changes who may retrieve some items: the events of them that are kept follow, so that neither a
 * resume nor a retry tells of an item to those who may not retrieve it any more. `source` as above.
 */
export const regrantEventsStatement = ({ db }: OutboxContext, source: string, ...values: SqlValue[]): Statement =>
  // `+`: a column would bring its affinity into the comparison, and an index of an expression has none.
  db.statement(
    `update events set visibility = s.visibility, readers = coalesce(s.readers, '[]')
     from (select e.rowid as row, i.visibility, i.readers from (${source}) i
       cross join events e on e.channel = 'memory' and e.data ->> 'memory_id' = +i.memory_id limit -1) s
     where events.rowid = s.row`,
    ...values,
  )

/** The statement that notifies one user, for the commit of the cause. */
export const notificationStatement = (
  ctx: OutboxContext,
  { tenantId, userId, code, message, about = {} }: Notification,
  onlyIf = '1',
  ...values: SqlValue[]
): Statement =>
  eventStatement(
    ctx,
    {
      tenantId,
      type: 'system.notification',
      channel: 'system',
      actor: 'system',
      targets: [userId],
      data: { code, message, ...about },
    },
    onlyIf,
    ...values,
  )

/** Memory events are handed over in company: twenty milliseconds matter less to them than a message each costs. */
const JOIN_MS = 20

/** `enqueueEvents` for what a request has committed, joined with what concurrent requests commit. */
export const enqueueEventsJoined = joining(JOIN_MS, (system, _key, ids) =>
  enqueueEvents(
    system,
    ids.map((id) => ({ id })),
  ),
)

/** Hands committed events to the fan-out. What does not arrive is sent again by the sweep, so a failure is only logged. */
export async function enqueueEvents(
  system: Pick<System, 'queues' | 'log'>,
  rows: readonly OutboxRow[],
  delaySeconds = 0,
): Promise<void> {
  const ids = unsettled(rows)
  const bodies: { ids: string[] }[] = []
  for (let at = 0; at < ids.length; at += IDS_A_MESSAGE) bodies.push({ ids: ids.slice(at, at + IDS_A_MESSAGE) })
  if (bodies.length === 0) return
  try {
    await system.queues.send('events', bodies, delaySeconds > 0 ? { delaySeconds } : {})
  } catch (error) {
    system.log.error({ event: 'events.enqueue_failed', events: ids.length }, error)
  }
}

const IDS_A_MESSAGE = 50
