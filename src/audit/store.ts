import type { System } from '../core/context.ts'
import type { AuditBundle } from './bundle.ts'
import { moveOutbox } from './move.ts'
import { pageStatements, toPages } from './pages.ts'

const MINUTE_MS = 60_000

/**
 * Stores what isolates gathered, each bundle once however often it is delivered: the commit that stores it also names
 * it in `consumed`, and fails as a whole where another consumer was faster (the queue then brings it again).
 */
export async function storeBundles(system: System, bundles: readonly AuditBundle[]): Promise<void> {
  const db = system.auditDatabase
  const ids = JSON.stringify(bundles.map((bundle) => bundle.id))
  const known = await db.all<{ id: string }>(
    'select id from consumed where id in (select value from json_each(?))',
    ids,
  )
  const seen = new Set(known.map((row) => row.id))
  const fresh = bundles.filter((bundle) => !seen.has(bundle.id))
  const [first] = fresh
  if (first) {
    const rows = fresh.flatMap((bundle) => bundle.rows)
    await db.batch([
      db.statement(
        'insert into consumed (id, at) select value, ? from json_each(?)',
        system.now(),
        JSON.stringify(fresh.map((bundle) => bundle.id)),
      ),
      ...pageStatements(db, toPages(first.id, rows)),
      db.statement(COUNT, JSON.stringify(fresh.flatMap(countsOf))),
    ])
  }
  await noteUses(system, bundles)
  for (const shard of new Set(bundles.flatMap((bundle) => bundle.moves))) await moveOutbox(system, shard)
}

const COUNT = `
  insert into usage_counts (tenant_id, user_id, operation, outcome, at, count)
  select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 from json_each(?) where true
  on conflict (tenant_id, at, user_id, operation, outcome) do update set count = count + excluded.count`

function countsOf(bundle: AuditBundle): (string | number)[][] {
  return Object.entries(bundle.counts).map(([key, count]) => {
    const [tenant = '', user = '', operation = '', outcome = '', at = '0'] = key.split(' ')
    return [tenant, user, operation, outcome, Number(at), count]
  })
}

const TABLE_OF = { key: 'api_keys', session: 'sessions' } as const

/** `last_used_at` to the minute, one statement a table and shard; safe to repeat. */
async function noteUses(system: System, bundles: readonly AuditBundle[]): Promise<void> {
  const uses = bundles.flatMap((bundle) => Object.entries(bundle.uses))
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
