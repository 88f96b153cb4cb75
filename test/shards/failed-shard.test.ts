import { expect, test } from 'vitest'
import { Database } from '../../src/core/database/database.ts'
import { eventConsumer } from '../../src/events/consumer.ts'
import { eventStatement } from '../../src/events/outbox.ts'
import { embedConsumer } from '../../src/memory/embedding/consumer.ts'
import { conversationEvent } from '../support/events.ts'
import { messageOf } from '../support/queue-message.ts'
import { callWith, DOWN, withDatabases } from '../support/shards.ts'
import { interrupted } from '../support/interrupted.ts'
import { bindingIn, newTenant, system, type Tenant } from '../support/world.ts'

const down = { DB_01: DOWN }
const store = (tenant: Tenant, bindings: object) =>
  callWith(bindings, '/api/memory/store', {
    method: 'POST',
    headers: { 'X-API-Key': tenant.key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ content: 'a blue kettle' }),
  })
const list = (tenant: Tenant, bindings: object) =>
  callWith(bindings, '/v1/memory/items', { headers: { 'X-API-Key': tenant.key } })

test('contract §7: requests of a failed shard are 503 each, and those of others are not touched', async () => {
  const [failed, ...others] = await Promise.all(['01', '00', '02'].map((shard) => newTenant({ shard })))
  if (!failed) throw new Error('no tenant')
  for (const other of others) {
    expect((await store(other, down)).status).toBe(201)
    expect((await list(other, down)).body.data).toHaveLength(1)
  }
  for (const answer of [await store(failed, down), await list(failed, down)]) {
    expect(answer.status).toBe(503)
    expect(answer.body.code).toBe('dependency_unavailable')
    expect(answer.headers.get('retry-after')).not.toBeNull()
  }
  expect((await store(failed, {})).status).toBe(201)
})

test('without the shard of the directory, tenants of others go on with what they have', async () => {
  const tenant = await newTenant({ shard: '02' })
  const bindings = { DB: DOWN }
  expect((await store(tenant, bindings)).status).toBe(201)
  const login = await callWith(bindings, '/auth/login', {
    method: 'POST',
    headers: { 'CF-Connecting-IP': '2001:db8:dead::1', 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ username: tenant.email, password: 'x' }).toString(),
  })
  expect(login.status).toBe(503)
})

test('contract §7: without its audit database a shard stores and reads on, and answers 503 where it is asked for', async () => {
  const [failed, other] = [await newTenant({ shard: '01' }), await newTenant({ shard: '02' })]
  const bindings = { AUDIT_DB_01: DOWN }
  const audit = (tenant: Tenant) => callWith(bindings, '/v1/audit', { headers: { 'X-API-Key': tenant.key } })
  expect([(await store(failed, bindings)).status, (await list(failed, bindings)).status]).toEqual([201, 200])
  expect([(await audit(failed)).status, (await audit(other)).status]).toEqual([503, 200])
})

/** An event of a tenant, committed in its shard. */
async function eventIn(shard: string): Promise<string> {
  const tenant = await newTenant({ shard })
  const db = system.database(shard)
  const [[row]] = await db.batch<[{ id: string }]>([eventStatement({ ...system, db }, conversationEvent(tenant))])
  return row?.id ?? ''
}

const isSettled = async (shard: string, id: string): Promise<boolean> =>
  (await system.database(shard).first('select 1 from events where id = :id and settled_at is not null', { id })) !==
  null

test('a message leads to its shard, one of the older version to the shard that has its ids', async () => {
  const [named, old] = [await eventIn('01'), await eventIn('02')]
  const messages = [messageOf({ shard: '01', ids: [named] }), messageOf({ ids: [old] })]
  await eventConsumer.consume(system, messages)
  expect([await isSettled('01', named), await isSettled('02', old)]).toEqual([true, true])
  for (const message of messages) expect(message.retry).not.toHaveBeenCalled()
})

test('a shard that is down has its own messages tried again', async () => {
  const [lost, well] = [await eventIn('01'), await eventIn('02')]
  const messages = [messageOf({ shard: '01', ids: [lost] }), messageOf({ shard: '02', ids: [well] })]
  const half = withDatabases(
    { '01': interrupted(() => Promise.reject(new Error('down')), '01') },
    { log: { info: () => {}, error: () => {} } },
  )
  await eventConsumer.consume(half, messages)
  expect(messages.map(({ retry }) => retry.mock.calls.length)).toEqual([1, 0])
  expect([await isSettled('01', lost), await isSettled('02', well)]).toEqual([false, true])
})

test('dead letters of a shard that is down wait for it, and those of others are put back', async () => {
  const messages = ['01', '02'].map((shard) => messageOf({ kind: 'embed', shard, ids: [] }))
  const lines: string[] = []
  const half = withDatabases(
    {
      '01': new (class extends Database {
        override write = () => Promise.reject(new Error('down'))
      })(bindingIn('01'), '01'),
    },
    { log: { info: () => {}, error: ({ event, shard }) => void lines.push(`${event} ${String(shard)}`) } },
  )
  await embedConsumer.onDeadLetters(half, messages)
  expect(messages.map(({ retry }) => retry.mock.calls.length)).toEqual([1, 0])
  expect(lines.toSorted()).toEqual(['embed.dead_letters 02', 'queue.shard_failed 01'])
})
