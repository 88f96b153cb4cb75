import type { System } from '../core/context.ts'
import type { Database, Statement } from '../core/database/database.ts'
import { ALWAYS, joined } from '../core/database/sql.ts'
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
 * The statement that adds one event to the commit of its cause. It answers the row `{id}`; `outgoing` lets the commit send it.
 * `onlyIf` is a condition that holds if the cause took place.
 */
export function eventStatement(ctx: OutboxContext, event: NewEvent, { sql, params } = ALWAYS): Statement {
  const now = ctx.now()
  return ctx.db.statement(
    `insert into events (${COLUMNS})
     select :event_id, :event_tenant, :event_type, :event_channel,
       coalesce(:event_workspace, (select workspace_id from projects where id = :event_project)), :event_project,
       :event_namespace, :event_scope, :event_conversation, :event_visibility, :event_creator, :event_readers, :event_actor,
       :event_targets, :event_data, :event_at, :event_resend_at, :event_expires_at
     where ${sql} returning id`,
    joined(
      {
        event_id: event.id ?? ctx.newId('evt'),
        event_tenant: event.tenantId,
        event_type: event.type,
        event_channel: event.channel,
        event_workspace: event.workspaceId ?? null,
        event_project: event.projectId ?? null,
        event_namespace: event.namespace ?? null,
        event_scope: event.scope ?? null,
        event_conversation: event.conversationId ?? null,
        event_visibility: event.visibility ?? 'project',
        event_creator: event.creator ?? null,
        event_readers: JSON.stringify(event.readers ?? []),
        event_actor: event.actor,
        event_targets: event.targets ? JSON.stringify(event.targets) : null,
        event_data: JSON.stringify(event.data),
        event_at: now,
        event_resend_at: now + RESEND_AFTER_MS,
        event_expires_at: now + (isEphemeral(event.type) ? TYPING_LIFE_MS : KEPT_MS),
      },
      params,
    ),
  )
}

/** A committed event. With `settled_at` it needs no fan-out. */
export type OutboxRow = RowOf<typeof events, 'id'> & Partial<RowOf<typeof events, 'settled_at'>>

export const unsettled = (rows: readonly OutboxRow[]): string[] =>
  rows.filter((row) => row.settled_at == null).map((row) => row.id)
