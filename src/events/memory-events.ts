import { ulid } from 'ulidx'
import type { Statement } from '../core/database/database.ts'
import { isoSql } from '../core/database/iso-sql.ts'
import { joined, type Sql } from '../core/database/sql.ts'
import type { EventType } from './catalog.ts'
import { COLUMNS, KEPT_MS, RESEND_AFTER_MS, type OutboxContext } from './outbox.ts'

/** SQL: the tenant has neither a subscription nor an open socket, so that an event has no recipient. */
const NO_RECIPIENT = `not exists (select 1 from subscriptions x where x.tenant_id = p.tenant_id and x.deleted_at is null)
  and not exists (select 1 from presence x where x.tenant_id = p.tenant_id)`
/** A commit is no later than this after the `created_at` that it stores: the limit of D1. */
const COMMIT_MS = 30_000

export type MemoryEventType = Extract<EventType, `memory.${string}`>

/**
 * Memory events as a set, one for each row of `source`: a `select` of memory_id, project_id, namespace, scope, kind, conversation_id, occurred_at, version, visibility, creator, readers (JSON array of user ids), reason, change and superseded_by. Answers `OutboxRow`s.
 * An event without a recipient is settled from the start: a socket that opens later finds it in the history (`missedEvents`).
 */
export function memoryEventsStatement(
  ctx: OutboxContext,
  event: { type: MemoryEventType; actor: string },
  source: Sql,
): Statement {
  const now = ctx.now()
  // SQL makes the ULID: ten characters of time and 64 random bits in hexadecimal, whose digits are Crockford's too.
  return ctx.db.statement(
    `insert into events (${COLUMNS}, fanned_out_at, settled_at)
     select :event_time || hex(randomblob(8)), p.tenant_id, :event_type, 'memory', p.workspace_id, s.project_id, s.namespace, s.scope,
       s.conversation_id, s.visibility, s.creator, coalesce(s.readers, '[]'), :event_actor, null,
       json_patch('{}', json_object('memory_id', s.memory_id, 'project_id', s.project_id, 'namespace', s.namespace,
         'scope', s.scope, 'kind', s.kind, 'conversation_id', s.conversation_id, 'occurred_at', ${isoSql('s.occurred_at')}, 'version', s.version, 'actor', :event_actor, 'reason', s.reason,
         'change', s.change, 'superseded_by', s.superseded_by)),
       :event_at, :event_resend_at, :event_expires_at,
       case when ${NO_RECIPIENT} then :event_at end, case when ${NO_RECIPIENT} then :event_at + ${COMMIT_MS} end
     from (${source.sql}) s cross join projects p on p.id = s.project_id
     returning id, settled_at`,
    joined(
      {
        event_time: `evt_${ulid(now, () => 0).slice(0, 10)}`,
        event_type: event.type,
        event_actor: event.actor,
        event_at: now,
        event_resend_at: now + RESEND_AFTER_MS,
        event_expires_at: now + KEPT_MS,
      },
      source.params,
    ),
  )
}

/**
 * Updates visibility and readers of the stored events of some items, in the commit that changes them. So neither a resume nor
 * a retry sends an event to a user who may not retrieve the item any more. `source` as above.
 */
export const eventAccessStatement = ({ db }: OutboxContext, source: Sql): Statement =>
  // `+` removes the affinity of the column, because the index of an expression has none.
  db.statement(
    `update events set visibility = s.visibility, readers = coalesce(s.readers, '[]')
     from (select e.rowid as row, i.visibility, i.readers from (${source.sql}) i
       cross join events e on e.channel = 'memory' and e.data ->> 'memory_id' = +i.memory_id limit -1) s
     where events.rowid = s.row`,
    source.params,
  )
