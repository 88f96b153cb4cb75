import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { sweepingConsumer, sweepMinute } from '../../src/cron.ts'
import { depsOf } from '../../src/deps.ts'
import { eventConsumer } from '../../src/events/consumer.ts'
import { purgeConsumer } from '../../src/memory/index.ts'
import { DAY, HOUR, MINUTE, travel } from '../support/clock.ts'
import { messageOf } from '../support/queue-message.ts'
import { newReceiver } from '../support/receiver.ts'
import { callWith, SHARDS } from '../support/shards.ts'
import { until } from '../support/until.ts'
import { subscribe } from '../support/webhooks.ts'
import { newSession, newTenant } from '../support/world.ts'

const BINDINGS = {
  embed: 'EMBED_QUEUE',
  purge: 'PURGE_QUEUE',
  events: 'EVENTS_QUEUE',
  delivery: 'DELIVERY_QUEUE',
  audit: 'AUDIT_QUEUE',
} as const

/** Queues that keep what is sent, by queue. */
function keeping() {
  const sent: { queue: string; body: { shard?: unknown; ids?: string[] } }[] = []
  const bindings = Object.fromEntries(
    Object.entries(BINDINGS).map(([queue, binding]) => [
      binding,
      {
        sendBatch: async (messages: { body: object }[]) =>
          void sent.push(...messages.map(({ body }) => ({ queue, body }))),
      },
    ]),
  )
  const of = (queue: string) => sent.filter((one) => one.queue === queue).map(({ body }) => body)
  return { bindings, sent, of, system: depsOf(Object.assign({}, env, bindings))(() => {}) }
}

test('every message that a request makes names the shard of its tenant', async () => {
  const tenant = await newTenant({ shard: '01' })
  await subscribe(tenant, newReceiver())
  const headers = { ...(await newSession(tenant)), 'Content-Type': 'application/json' }
  const { bindings, sent, of, system } = keeping()
  const ask = (method: string, path: string, body?: object) =>
    callWith(bindings, path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  const stored = await ask('POST', '/api/memory/store', { content: 'a blue kettle' })
  const event = await ask('POST', '/api/events/publish', { type: 'message.new', data: { conversation_id: 'c1' } })
  await until(() => expect(of('events').flatMap(({ ids = [] }) => ids)).toContain(event.body.event_id))
  await eventConsumer.consume(
    system,
    of('events').map((body) => messageOf(body)),
  )
  const gone = [
    await ask('DELETE', `/v1/memory/items/${stored.body.id}`),
    await ask('DELETE', `/api/projects/${tenant.projectId}`),
  ]
  expect([stored, event, ...gone].map(({ status }) => status)).toEqual([201, 202, 204, 204])
  const asked = ['embed', 'purge', 'delivery']
  await until(() => expect(sent.map(({ queue }) => queue)).toEqual(expect.arrayContaining(asked)))
  for (const queue of ['embed', 'purge', 'events', 'delivery'])
    expect([queue, new Set(of(queue).map(({ shard }) => shard))]).toEqual([queue, new Set(['01'])])
  for (const { shard } of of('audit')) expect(SHARDS).toContain(shard)
})

test('every message that the cron and the sweeps make names a shard', async () => {
  const tenant = await newTenant({ shard: '01' })
  const { bindings, sent, of, system } = keeping()
  // Again where a consumer that an earlier test left at work took what was due before this sweep.
  await until(async () => {
    for (const more of [{}, { ttl: 60 }]) {
      const made = await callWith(bindings, '/api/memory/store', {
        method: 'POST',
        headers: { 'X-API-Key': tenant.key, 'Content-Type': 'application/json' },
        body: JSON.stringify({ content: 'a blue kettle', ...more }),
      })
      expect(made.status).toBe(201)
    }
    // What was lost is sent again, what has expired goes.
    travel(DAY - (system.now() % HOUR))
    await sweepMinute(system, Math.floor(system.now() / MINUTE))
    for (const body of of('purge')) await sweepingConsumer(purgeConsumer).consume(system, [messageOf(body)])
    for (const queue of ['embed', 'purge', 'events']) expect([queue, of(queue).length > 0]).toEqual([queue, true])
  })
  for (const { queue, body } of sent) expect([queue, SHARDS]).toEqual([queue, expect.arrayContaining([body.shard])])
})
