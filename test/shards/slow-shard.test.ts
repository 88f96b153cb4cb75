import { expect, test, vi } from 'vitest'
import { Database, READ_DEADLINE_MS, WRITE_DEADLINE_MS } from '../../src/core/database/database.ts'
import { eventConsumer } from '../../src/events/consumer.ts'
import { eventStatement } from '../../src/events/outbox.ts'
import { sweepingConsumer } from '../../src/cron.ts'
import { purgeConsumer } from '../../src/memory/index.ts'
import { conversationEvent } from '../support/events.ts'
import { fakeTimers } from '../support/fake-timers.ts'
import { messageOf } from '../support/queue-message.ts'
import { callWith, withDatabases } from '../support/shards.ts'
import { until } from '../support/until.ts'
import { bindingIn, newTenant, system, type Tenant } from '../support/world.ts'

const never = (): Promise<never> => new Promise(() => {})
const lateStatement = { bind: () => lateStatement, all: never, first: never, run: never, raw: never }
/** A database that takes every call and answers none. */
const LATE = { prepare: () => lateStatement, batch: never } as unknown as D1Database
const slow = { DB_01: LATE }
/** Longer than `/ready` waits for a database, and shorter than a commit may take. */
const READY_DEADLINE_MS = 3_000

const list = (tenant: Tenant, bindings: object) =>
  callWith(bindings, '/v1/memory/items', { headers: { 'X-API-Key': tenant.key } })
const store = (tenant: Tenant, bindings: object) =>
  callWith(bindings, '/api/memory/store', {
    method: 'POST',
    headers: { 'X-API-Key': tenant.key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ content: 'a blue kettle' }),
  })

test('contract §7: a shard that answers late costs its own tenants a 503 at the deadline, and others nothing', async () => {
  const [own, ...others] = await Promise.all(['01', '00', '02'].map((shard) => newTenant({ shard })))
  if (!own) throw new Error('no tenant')
  fakeTimers('setTimeout')
  const ended: string[] = []
  const waiting = [list(own, slow), store(own, slow)].map(async (request) => {
    const { status, body } = await request
    ended.push(`${status} ${body.code}`)
  })
  // The clock of the deadlines stands still: whatever is answered now did not wait for the late shard.
  for (const other of others) {
    expect((await store(other, slow)).status).toBe(201)
    expect((await list(other, slow)).body.data).toHaveLength(1)
  }
  expect(ended).toEqual([])
  await vi.advanceTimersByTimeAsync(Math.max(READ_DEADLINE_MS, WRITE_DEADLINE_MS))
  await Promise.all(waiting)
  expect(ended).toEqual(['503 dependency_unavailable', '503 dependency_unavailable'])
})

test('/ready names a shard that answers late, within its own bound', async () => {
  fakeTimers('setTimeout')
  const asked = callWith(slow, '/ready')
  let answered = false
  void asked.then(() => (answered = true))
  await vi.advanceTimersByTimeAsync(READY_DEADLINE_MS - 1_001)
  expect(answered).toBe(false)
  await vi.advanceTimersByTimeAsync(1_001)
  const { status, body } = await asked
  expect([status, body.status, body.failed_shards]).toEqual([200, 'degraded', ['01']])
  expect(body.checks).toMatchObject({ database_00: { status: 'ok' }, database_02: { status: 'ok' } })
  expect(body.checks.database_01.status).toBe('failed')
})

test('a queue goes on with the other shards of a batch, and the late one has its messages tried again', async () => {
  const eventIn = async (shard: string): Promise<string> => {
    const tenant = await newTenant({ shard })
    const db = system.database(shard)
    const [[row]] = await db.batch<[{ id: string }]>([eventStatement({ ...system, db }, conversationEvent(tenant))])
    return row?.id ?? ''
  }
  const [lost, well] = [await eventIn('01'), await eventIn('02')]
  const messages = [messageOf({ shard: '01', ids: [lost] }), messageOf({ shard: '02', ids: [well] })]
  const half = withDatabases({ '01': new Database(LATE, '01') }, { log: { info: () => {}, error: () => {} } })
  fakeTimers('setTimeout')
  const consumed = eventConsumer.consume(half, messages)
  const settled = (): Promise<unknown> =>
    bindingIn('02').prepare('select settled_at from events where id = ?').bind(well).first('settled_at')
  await until(async () => expect(await settled()).not.toBeNull())
  // The first try, and the one for each message alone.
  await vi.advanceTimersByTimeAsync(2 * WRITE_DEADLINE_MS)
  await consumed
  expect(messages.map(({ retry }) => retry.mock.calls.length)).toEqual([1, 0])
})

test('the sweeps of another shard run while those of a late one wait', async () => {
  const minute = Math.floor(system.now() / 60_000)
  const lines: string[] = []
  const log = { info: () => {}, error: ({ event }: { event: string }) => void lines.push(event) }
  const half = withDatabases({ '01': new Database(LATE, '01') }, { log })
  const sweeper = sweepingConsumer(purgeConsumer)
  fakeTimers('setTimeout')
  let over = false
  const late = sweeper.consume(half, [messageOf({ kind: 'sweep', shard: '01', minute })]).then(() => (over = true))
  await sweeper.consume(half, [messageOf({ kind: 'sweep', shard: '02', minute })])
  expect([over, lines]).toEqual([false, []])
  // A deadline for each sweep, one after the other.
  await vi.advanceTimersByTimeAsync(40 * WRITE_DEADLINE_MS)
  await late
  expect(new Set(lines)).toContain('sweep.failed')
})

/** What D1 says where a migration is missing. */
const missing = () => Promise.reject(new Error('D1_ERROR: no such column: occurred_at: SQLITE_ERROR'))

/** A database that lacks the last migration: it knows those before it, and statements name columns that it has not. */
const BEHIND = {
  prepare: (sql: string) => {
    const known = sql.includes('d1_migrations')
    const all = known ? async () => ({ results: [], success: true, meta: {} }) : missing
    const statement = { bind: () => statement, all, first: missing, run: missing, raw: missing }
    return statement
  },
  batch: missing,
}

test('a shard that is behind in its migrations is a 503 for its own tenants, and /ready names it', async () => {
  const [own, other] = await Promise.all(['01', '02'].map((shard) => newTenant({ shard })))
  if (!own || !other) throw new Error('no tenant')
  const bindings = { DB_01: BEHIND }
  for (const answer of [await store(own, bindings), await list(own, bindings)])
    expect([answer.status, answer.body.code]).toEqual([503, 'dependency_unavailable'])
  expect((await store(other, bindings)).status).toBe(201)
  const { status, body } = await callWith(bindings, '/ready')
  expect([status, body.status, body.failed_shards]).toEqual([200, 'degraded', ['01']])
})
