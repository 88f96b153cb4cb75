/**
 * `npm run bench:shards [-- --seconds 3 --clients 8]`
 *
 * Rates of stores and searches with 1, 2 and 4 shards, and round trips a request. Locally all databases share a core, so the
 * Worker here waits 20 ms for each statement, one at a time in each shard: the figures show how shards shorten the wait for
 * a database, and not the speed of D1.
 */
import { parseArgs } from 'node:util'
import { startServer } from '../test/e2e/support/server.ts'
import { load, type LoadRequest } from './support/load.ts'
import { TRIPS_PATH } from './support/shards-path.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '3' }, clients: { type: 'string', default: '8' } },
})
const [seconds, clients] = [Number(values.seconds), Number(values.clients)]
const ITEMS = 5

interface Tenant {
  headers: Record<string, string>
}

for (const shards of [1, 2, 4]) {
  const server = await startServer({
    script: 'bench/worker/shards.ts',
    // No shard is closed: a value of spaces names none.
    vars: { LIMITS_FACTOR: '1000', CLOSED_SHARDS: ' ' },
    staticAssets: false,
    shards,
  })
  const directory = await server.miniflare.getD1Database('DB')
  const send = async <T>(path: string, init: RequestInit): Promise<T> => {
    const answer = await fetch(server.url + path, init)
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }

  /** A tenant in this shard, which the sign-up sees as the one with the most room. */
  const newTenant = async (shard: number): Promise<Tenant> => {
    for (let other = 0; other < shards; other++)
      await directory
        .prepare(`insert into shard_states values (?, ?, ?, 0, 0, 1)
           on conflict (shard) do update set seen_at = excluded.seen_at, bytes = excluded.bytes`)
        .bind(String(other).padStart(2, '0'), Date.now(), other === shard ? 0 : 2 ** 30)
        .run()
    const form = new URLSearchParams({
      email: `s${shard}@bench.example`,
      password: 'a password for benches',
      name: 'S',
    })
    const { session_token } = await send<{ session_token: string }>('/auth/register-user', {
      method: 'POST',
      body: form,
    })
    const headers = { 'X-Session-Token': session_token, 'Content-Type': 'application/json' }
    for (let nth = 0; nth < ITEMS; nth++)
      await send('/api/memory/store', {
        method: 'POST',
        headers,
        body: JSON.stringify({ content: `tea number ${nth}` }),
      })
    return { headers }
  }
  const tenants: Tenant[] = []
  for (let shard = 0; shard < shards; shard++) tenants.push(await newTenant(shard))
  const users = []
  for (let shard = 0; shard < shards; shard++) {
    const db = await server.miniflare.getD1Database(shard === 0 ? 'DB' : `DB_${String(shard).padStart(2, '0')}`)
    users.push(await db.prepare('select count(*) as n from users').first('n'))
  }

  let turn = 0
  const next = (path: string, bodyOf: (nth: number) => object) => (): LoadRequest => {
    turn += 1
    return {
      method: 'POST',
      path,
      headers: tenants[turn % shards]?.headers ?? {},
      body: JSON.stringify(bodyOf(turn)),
    }
  }
  for (const [name, request] of [
    ['store', next('/api/memory/store', (nth) => ({ content: `a note about tea number ${nth}` }))],
    ['search, keyword', next('/api/memory/search', (nth) => ({ query: `tea ${nth}`, mode: 'keyword' }))],
  ] as const) {
    // One at a time, so that no request shares a round trip with another.
    await send<number>(TRIPS_PATH, {})
    const alone = await load(server.url, 1, 1, request)
    const trips = (await send<number>(TRIPS_PATH, {})) / Math.max(1, Math.round(alone.rate))
    const figures = await load(server.url, clients * shards, seconds, request)
    console.log(
      `| ${shards} (users ${users.join(', ')}) | ${name} | ${figures.rate.toFixed(1)} | ${figures.p50.toFixed(0)} | ${trips.toFixed(1)} | ${figures.failed} |`,
    )
  }
  await server.stop()
}
