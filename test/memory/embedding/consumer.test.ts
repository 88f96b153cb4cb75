/** @module-tag long */
import { expect, test } from 'vitest'
import type { Queues } from '../../../src/core/ports.ts'
import { batch } from '../../../src/memory/operations/batch.ts'
import { embedConsumer } from '../../../src/memory/embedding/consumer.ts'
import { travel } from '../../support/clock.ts'
import { ctxOf, stored, sweepUntil } from '../../support/search.ts'
import { db, newTenant, system } from '../../support/world.ts'

test('a message that the queue gave up on: its items are due at once', async () => {
  const user = await newTenant()
  const item = await stored(ctxOf(user), 'The queue gave it up.')
  const body = { kind: 'embed', shard: '00', ids: [item.id] }
  await embedConsumer.onDeadLetters(system, [{ id: 'm', body, attempts: 5, sentAt: 0, ack: () => {}, retry: () => {} }])
  const row = await db.first<{ next_attempt_at: number }>('select next_attempt_at from memory_items where id = :id', {
    id: item.id,
  })
  expect(row?.next_attempt_at).toBeLessThanOrEqual(system.now())
})

test(
  'after a burst of 500 stores, with messages lost and messages doubled, everything is embedded',
  { timeout: 60_000 },
  async () => {
    // A message that a dead request left to be joined with others counts as lost after a second.
    travel(2_000)
    const user = await newTenant()
    const fates: ((...message: Parameters<Queues['send']>) => Promise<unknown>)[] = [
      (...message) => system.queues.send(...message),
      async () => {},
      (...message) => Promise.all([system.queues.send(...message), system.queues.send(...message)]),
    ]
    const ids: string[] = []
    for (let at = 0; at < 10; at++) {
      const after: Promise<unknown>[] = []
      const queues: Queues = { send: async (...message) => void (await fates[at % fates.length]?.(...message)) }
      const ctx = ctxOf(user, { queues, waitUntil: (work) => void after.push(work) })
      const operations = Array.from({ length: 50 }, (_, n) => ({ op: 'store', content: `wave ${at} drop ${n}` }))
      const { results, success_count } = await batch(ctx, { operations })
      expect(success_count).toBe(50)
      ids.push(...results.map((result) => result.id ?? ''))
      await Promise.all(after)
    }
    const states = async () => {
      const rows = await db.all<{ state: string; n: number }>(
        'select embedding_status as state, count(*) as n from memory_items where tenant_id = :tenant group by 1',
        { tenant: user.tenantId },
      )
      return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
    }
    // Three of the ten messages are lost. Only the sweep finds their items.
    await expect.poll(states, { timeout: 30_000 }).toEqual({ completed: 350, pending: 150 })
    await sweepUntil(async () => expect(await states()).toEqual({ completed: 500 }))
    const names = await system.projectVectors(user.projectId, '00').names(ids.map((item) => ({ item })))
    expect(names.sort()).toEqual(ids.map((id) => `${id}:1:0`).sort())
    const events = await db.all(
      "select id from events where tenant_id = :tenant and type = 'memory.embedding_complete'",
      { tenant: user.tenantId },
    )
    expect(events).toHaveLength(500)
  },
)
