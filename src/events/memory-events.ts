import { ulid } from 'ulidx'
import type { SqlValue, Statement } from '../core/database/database.ts'
import type { EventType } from './catalog.ts'
import { COLUMNS, KEPT_MS, RESEND_AFTER_MS, type OutboxContext } from './outbox.ts'

/** An event of a tenant in which nobody listens, neither a subscription nor a socket, has nowhere to go. */
const UNHEARD = `not exists (select 1 from subscriptions x where x.tenant_id = p.tenant_id and x.deleted_at is null)
  and not exists (select 1 from presence x where x.tenant_id = p.tenant_id)`
/** A commit is no later than this after the instant that it bears: D1's own limit. */
const COMMIT_MS = 30_000

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
