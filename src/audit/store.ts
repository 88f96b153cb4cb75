import type { System } from '../core/context.ts'
import type { Database } from '../core/database/database.ts'
import { slices } from '../core/database/slices.ts'
import { figureStatements } from './figures.ts'
import { storeLastUses } from './last-used.ts'
import type { AuditMessage } from './message.ts'
import { moveOutbox } from './move-outbox.ts'
import { countObjects } from './objects/count-objects.ts'
import { writePast } from './objects/write-past.ts'
import { hourStatements } from './request-hours.ts'
import { loadStep } from './page-load.ts'
import { pageStatements, toPages } from './pages.ts'

/**
 * Stores messages of one shard, each once however often it is delivered. The commit that stores a message also inserts its
 * id into `consumed`. It fails as a whole where another consumer was faster, and the queue delivers the messages again.
 */
export async function storeMessages(system: System, shard: string, messages: readonly AuditMessage[]): Promise<void> {
  const db = system.auditDatabase(shard)
  const { storedIds, load } = await lookUp(
    system,
    db,
    messages.map((message) => message.id),
  )
  const fresh = messages.filter((message) => !storedIds.has(message.id))
  const [first] = fresh
  if (first) {
    const past = await writePast(
      system,
      db,
      { id: first.id, load },
      fresh.flatMap((message) => message.rows),
    )
    await db.batch([
      db.statement(
        'insert into consumed (id, at) select value, ? from json_each(?)',
        system.now(),
        JSON.stringify(fresh.map((message) => message.id)),
      ),
      ...pageStatements(db, toPages(first.id, past.rows), system.now()),
      ...past.statements,
      ...slices(fresh.flatMap(countsOf)).map((json) => db.statement(COUNT, json)),
      ...hourStatements(db, fresh),
      ...figureStatements(db, fresh),
    ])
    await countObjects(system, shard, 'consumer', past.objects)
  }
  await storeLastUses(system, shard, messages)
  if (messages.some((message) => message.moves.length > 0)) await moveOutbox(system, shard)
}

/** Which of these messages are stored, and the load of the database in this step. No message has the id ''. */
async function lookUp(system: System, db: Database, ids: readonly string[]) {
  const rows = await db.all<{ id: string; load: number }>(
    `select id, 0 as load from consumed where id in (select value from json_each(?))
     union all select '', load from page_loads where at = ?`,
    JSON.stringify(ids),
    loadStep(system.now()),
  )
  return { storedIds: new Set(rows.map(({ id }) => id)), load: rows.find(({ id }) => id === '')?.load ?? 0 }
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
