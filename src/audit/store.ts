import type { System } from '../core/context.ts'
import type { Database } from '../core/database/database.ts'
import { slices } from '../core/database/slices.ts'
import { figureStatements } from './figures.ts'
import { storeLastUses } from './last-used.ts'
import type { AuditMessage } from './message.ts'
import { moveOutbox } from './move-outbox.ts'
import { hourStatements } from './request-hours.ts'
import { pageStatements, toPages } from './pages.ts'

/**
 * Stores messages of one shard, each once however often it is delivered. The commit that stores a message also inserts its
 * id into `consumed`. It fails as a whole where another consumer was faster, and the queue delivers the messages again.
 */
export async function storeMessages(system: System, shard: string, messages: readonly AuditMessage[]): Promise<void> {
  const db = system.auditDatabase(shard)
  const stored = await storedIds(
    db,
    messages.map((message) => message.id),
  )
  const fresh = messages.filter((message) => !stored.has(message.id))
  const [first] = fresh
  if (first) {
    const pages = toPages(
      first.id,
      fresh.flatMap((message) => message.rows),
    )
    await db.batch([
      db.statement('insert into consumed (id, at) select value, :now from json_each(:ids)', {
        now: system.now(),
        ids: JSON.stringify(fresh.map((message) => message.id)),
      }),
      ...pageStatements(db, pages),
      ...slices(fresh.flatMap(countsOf)).map((counts) => db.statement(COUNT, { counts })),
      ...hourStatements(db, fresh),
      ...figureStatements(db, fresh),
    ])
  }
  await storeLastUses(system, shard, messages)
  if (messages.some((message) => message.moves.length > 0)) await moveOutbox(system, shard)
}

/** Which of these messages are stored. */
async function storedIds(db: Database, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.all<{ id: string }>('select id from consumed where id in (select value from json_each(:ids))', {
    ids: JSON.stringify(ids),
  })
  return new Set(rows.map(({ id }) => id))
}

const COUNT = `
  insert into usage_counts (tenant_id, user_id, operation, outcome, at, count)
  select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 from json_each(:counts) where true
  on conflict (tenant_id, at, user_id, operation, outcome) do update set count = count + excluded.count`

function countsOf(message: AuditMessage): (string | number)[][] {
  return Object.entries(message.counts).map(([key, count]) => {
    const [tenant = '', user = '', operation = '', outcome = '', at = '0'] = key.split(' ')
    return [tenant, user, operation, outcome, Number(at), count]
  })
}
