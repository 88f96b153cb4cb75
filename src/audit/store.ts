import type { System } from '../core/context.ts'
import type { AuditMessage } from './message.ts'
import { moveOutbox } from './move.ts'
import { pageStatements, toPages } from './pages.ts'

const MINUTE_MS = 60_000

/**
 * Stores messages, each once however often it is delivered. The commit that stores a message also inserts its id into
 * `consumed`. It fails as a whole where another consumer was faster, and the queue delivers the messages again.
 */
export async function storeMessages(system: System, messages: readonly AuditMessage[]): Promise<void> {
  const db = system.auditDatabase
  const stored = await db.all<{ id: string }>(
    'select id from consumed where id in (select value from json_each(?))',
    JSON.stringify(messages.map((message) => message.id)),
  )
  const storedIds = new Set(stored.map((row) => row.id))
  const fresh = messages.filter((message) => !storedIds.has(message.id))
  const [first] = fresh
  if (first) {
    const rows = fresh.flatMap((message) => message.rows)
    await db.batch([
      db.statement(
        'insert into consumed (id, at) select value, ? from json_each(?)',
        system.now(),
        JSON.stringify(fresh.map((message) => message.id)),
      ),
      ...pageStatements(db, toPages(first.id, rows)),
      db.statement(COUNT, JSON.stringify(fresh.flatMap(countsOf))),
    ])
  }
  await storeLastUses(system, messages)
  for (const shard of new Set(messages.flatMap((message) => message.moves))) await moveOutbox(system, shard)
}

const COUNT = `
  insert into usage_counts (tenant_id, user_id, operation, outcome, at, count)
  select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 from json_each(?) where true
  on conflict (tenant_id, at, user_id, operation, outcome) do update set count = count + excluded.count`

function countsOf(message: AuditMessage): (string | number)[][] {
  return Object.entries(message.counts).map(([key, count]) => {
    const [tenant = '', user = '', operation = '', outcome = '', at = '0'] = key.split(' ')
    return [tenant, user, operation, outcome, Number(at), count]
  })
}

const TABLE_OF = { key: 'api_keys', session: 'sessions' } as const

/** Stores `last_used_at` to the minute, with one statement a table and shard; safe to repeat. */
async function storeLastUses(system: System, messages: readonly AuditMessage[]): Promise<void> {
  const uses = messages.flatMap((message) => Object.entries(message.uses))
  if (uses.length === 0) return
  for (const shard of new Set(uses.map(([, use]) => use.shard))) {
    const db = system.database(shard)
    await db.batch(
      (['key', 'session'] as const).map((kind) =>
        db.statement(
          `update ${TABLE_OF[kind]} as t set last_used_at = u.at
           from (select value ->> 0 as id, max(value ->> 1) as at from json_each(?) group by 1) u
           where t.id = u.id and (t.last_used_at is null or t.last_used_at < u.at)`,
          JSON.stringify(
            uses
              .filter(([, use]) => use.shard === shard && use.kind === kind)
              .map(([id, use]) => [id, use.at - (use.at % MINUTE_MS)]),
          ),
        ),
      ),
    )
  }
}
