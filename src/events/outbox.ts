import type { System } from '../core/context.ts'
import type { Database, SqlValue, Statement } from '../core/database/database.ts'
import type { RowOf } from '../core/database/row.ts'
import type { events } from './table.ts'
import { isEphemeral, TYPING_LIFE_MS } from './typing.ts'
import { DAY_MS } from '../core/values/durations.ts'

/** Events, deliveries and attempts are kept this long (contract §5). */
export const KEPT_MS = 30 * DAY_MS
/** The sweep sends an event again that is not settled within this time. */
export const RESEND_AFTER_MS = 30_000

/** The `ctx` of a request, or `{ ...system, db }` in a consumer or sweep. */
export type OutboxContext = Pick<System, 'now' | 'newId'> & { readonly db: Database }

/** An event to be committed with its cause. */
export interface NewEvent {
  /** Default: a new one. */
  id?: string
  tenantId: string
  type: string
  channel: string
  /** Recipients: who may read this project, else this workspace. Without both, `targets` alone. */
  projectId?: string | null
  /** Default: the project's. */
  workspaceId?: string | null
  namespace?: string | null
  scope?: string | null
  conversationId?: string | null
  /** Default `project`. The recipients of `private` are `creator`, `readers` and the admins of the workspace. */
  visibility?: 'project' | 'private'
  creator?: string | null
  readers?: readonly string[]
  /** A user id, or `system`. */
  actor: string
  targets?: readonly string[] | null
  data: Record<string, unknown>
}

export const COLUMNS = `id, tenant_id, type, channel, workspace_id, project_id, namespace, scope, conversation_id, visibility,
  creator, readers, actor, targets, data, created_at, resend_at, expires_at`

/**
 * The statement that adds one event to the commit of its cause. It answers the row `{id}`, to be enqueued after the commit.
 * `onlyIf` is a condition in SQL (plain `?` for its values) that holds if the cause took place.
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

/** A committed event. With `settled_at` it needs no fan-out. */
export type OutboxRow = RowOf<typeof events, 'id'> & Partial<RowOf<typeof events, 'settled_at'>>

export const unsettled = (rows: readonly OutboxRow[]): string[] =>
  rows.filter((row) => row.settled_at == null).map((row) => row.id)
