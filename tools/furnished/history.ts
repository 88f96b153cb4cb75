import type { D1Database } from '@cloudflare/workers-types'
import { DURATION_BOUNDS_MS } from '../../src/audit/durations.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The databases of the shard that has the account. */
interface Home {
  main: Pick<D1Database, 'prepare'>
  audit: Pick<D1Database, 'prepare'>
}

interface Of {
  userId: string
  projectId: string
  keyId: string
  webhookId: string
}

/** How much is done in the hour that began so long ago: more by day than by night, and the same in each run. */
const busy = (hoursAgo: number): number =>
  Math.max(1, Math.round(9 + 8 * Math.sin(hoursAgo / 3.8) + ((hoursAgo * 7) % 5)))

/** What an account that has been in use for a month would have counted: requests, what waited for its embedding, deliveries. */
export async function writeHistory({ main, audit }: Home, of: Of): Promise<void> {
  const tenantId = await tenantOf(main, of.userId)
  if (tenantId === null) throw new Error(`${of.userId} has no account in this database.`)
  const now = Date.now()
  const hour = now - (now % HOUR)
  const buckets = Array.from({ length: DURATION_BOUNDS_MS.length + 1 }, (_, nth) => `d${nth}`)
  const ages = [
    ...Array.from({ length: 23 }, (_, nth) => nth + 1),
    ...Array.from({ length: 28 }, (_, nth) => 24 * (nth + 1) + 5),
  ]
  const hours = ages.flatMap((age) =>
    (
      [
        ['memory.search', of.keyId, 'ok', 3],
        ['memory.store', of.keyId, 'ok', 2],
        ['memory.retrieve', of.keyId, 'ok', 1],
        ['memory.search', of.keyId, 'limited', 0.1],
        ['memory.list', 'session', 'ok', 0.4],
      ] as const
    ).flatMap(([operation, credential, outcome, share]) => {
      const count = Math.floor(busy(age) * share * (age > 23 ? 12 : 1))
      if (count === 0) return []
      const spread = buckets.map((_, nth) =>
        nth === 2 ? Math.floor(count / 3) : nth === 4 ? Math.floor(count / 12) : 0,
      )
      spread[3] = count - spread.reduce((sum, one) => sum + one, 0)
      return [
        [tenantId, hour - age * HOUR, of.userId, operation, credential, of.projectId, outcome, count * 38, ...spread],
      ]
    }),
  )
  await audit
    .prepare(
      `insert into request_hours (tenant_id, at, user_id, operation, credential, project_id, outcome, total_ms, ${buckets.join()})
       select ${[...Array.from({ length: 8 }), ...buckets].map((_, nth) => `value ->> ${nth}`).join()} from json_each(?)`,
    )
    .bind(JSON.stringify(hours))
    .run()
  const counts = hours.map(([tenant, at, user, operation, , , outcome, ms]) => [
    tenant,
    user,
    operation,
    outcome,
    at,
    Number(ms) / 38,
  ])
  await audit
    .prepare(
      `insert into usage_counts (tenant_id, user_id, operation, outcome, at, count)
       select ${[0, 1, 2, 3, 4, 5].map((nth) => `value ->> ${nth}`).join()} from json_each(?) where true
       on conflict do update set count = count + excluded.count`,
    )
    .bind(JSON.stringify(counts))
    .run()
  await audit
    .prepare(
      `insert into embedding_backlogs (tenant_id, at, shard, waiting) select ?, value ->> 0, '00', value ->> 1 from json_each(?)`,
    )
    .bind(tenantId, JSON.stringify(ages.map((age) => [hour - age * HOUR, (age * 5) % 17])))
    .run()
  const deliveries = ages.flatMap((age) =>
    Array.from({ length: Math.ceil(busy(age) / 2) }, (_, nth) => {
      const failed = (age * 31 + nth) % 23 === 0
      const at = now - age * HOUR - nth * MINUTE
      return [
        `dlv_${age}_${nth}`,
        `evt_${age}_${nth}`,
        failed ? 'failed' : 'delivered',
        at,
        failed ? null : at + 90 + ((nth * 67) % 400),
      ]
    }),
  )
  await main
    .prepare(
      `insert into deliveries (id, tenant_id, subscription_id, event_id, event_type, status, attempts, next_attempt_at,
         resend_at, last_status_code, created_at, delivered_at, expires_at)
       select value ->> 0, ?1, ?2, value ->> 1, 'memory.created', value ->> 2, iif(value ->> 2 = 'failed', 8, 1), 0,
         ?3, iif(value ->> 2 = 'failed', 503, 200), value ->> 3, value ->> 4, ?3 from json_each(?4)`,
    )
    .bind(tenantId, of.webhookId, now + 30 * DAY, JSON.stringify(deliveries))
    .run()
}

/** The tenant of a person whose account is in this database; else null. */
export const tenantOf = (main: Home['main'], userId: string): Promise<string | null> =>
  main.prepare('select tenant_id from users where id = ?').bind(userId).first<string>('tenant_id')
