import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parseQueueName } from '../src/backends/queues.ts'
import worker from '../src/index.ts'
import { newReceiver } from './support/receiver.ts'
import { db, newTenant } from './support/world.ts'
import { fanOutDone, publish, subscribe } from './support/webhooks.ts'

/** Hands the Worker a batch of one message as the queue would. */
async function consume(queue: string, body: unknown) {
  const batch = createMessageBatch(queue, [{ id: 'm', timestamp: new Date(), attempts: 1, body }])
  const execution = createExecutionContext()
  await worker.queue(batch, env, execution)
  return getQueueResult(batch, execution)
}

const eventOf = (id: string) =>
  db.first<{ settled_at: number | null; resends: number }>('select settled_at, resends from events where id = :id', {
    id,
  })

/** An event that is committed and whose fan-out never came to an end. */
async function unsettled(): Promise<string> {
  const tenant = await newTenant()
  await subscribe(tenant, newReceiver())
  const id = await publish(tenant)
  await fanOutDone(id)
  await db.write('update events set fanned_out_at = null, settled_at = null, resends = 7 where id = :id', { id })
  return id
}

test('a dead letter is not consumed: it is released to the sweep', async () => {
  const id = await unsettled()
  expect((await consume('recollect-local-events-dlq', { ids: [id] })).retryMessages).toEqual([])
  expect(await eventOf(id)).toEqual({ settled_at: null, resends: 0 })
})

test('a message of the queue itself is consumed', async () => {
  const id = await unsettled()
  await consume('recollect-local-events', { ids: [id] })
  expect(await eventOf(id)).toEqual({ settled_at: expect.any(Number), resends: 7 })
})

test('where databases are bound under names that make no sense, messages wait for hours and are not lost', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => logged.mockRestore())
  const timestamp = new Date()
  const waits: unknown[] = []
  for (const attempts of [1, 2, 3, 4, 5]) {
    const batch = createMessageBatch('recollect-local-audit', [{ id: 'm', timestamp, attempts, body: {} }])
    const [message] = batch.messages
    if (message) vi.spyOn(message, 'retry').mockImplementation((options) => void waits.push(options?.delaySeconds))
    await worker.queue(batch, Object.assign({}, env, { DB_07: env.DB }), createExecutionContext())
  }
  expect(waits).toEqual([600, 1_200, 2_400, 4_800, 9_600])
  expect(logged.mock.calls.join()).toContain('queue.misconfigured')
})

test.each([
  ['recollect-embed', 'embed', false],
  ['recollect-local-embed-dlq', 'embed', true],
  ['recollect-purge-dlq', 'purge', true],
  ['recollect-local-delivery', 'delivery', false],
  ['recollect-audit-dlq', 'audit', true],
] as const)('%s is the queue %s, dead letters: %s', (name, queue, dead) => {
  expect(parseQueueName(name)).toEqual({ queue, dead })
})

test('a batch of an unknown queue is not acknowledged', async () => {
  await expect(consume('recollect-local-other', {})).rejects.toThrow('unknown queue')
  expect(() => parseQueueName('recollect-events-dlq-2')).toThrow('unknown queue')
})
