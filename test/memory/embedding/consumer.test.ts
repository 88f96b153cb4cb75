import { expect, test, vi } from 'vitest'
import type { Embedder, Queues } from '../../../src/core/ports.ts'
import { batch } from '../../../src/memory/operations/batch.ts'
import { embedConsumer, resendEmbeddings } from '../../../src/memory/embedding/consumer.ts'
import { embedItems } from '../../../src/memory/embedding/embed.ts'
import { atTime, travel } from '../../support/clock.ts'
import { ctxOf, embedded, find, idsOf, losingQueues, rowOf, stored } from '../../support/search.ts'
import { until } from '../../support/until.ts'
import { db, newTenant, system } from '../../support/world.ts'

/** A sweep sends a bounded number again, and other tests' items are as late: sweeps until what is to be true is. */
const sweepUntil = (holds: () => Promise<void>) =>
  until(
    async () => {
      await atTime(61_000, () => resendEmbeddings(system))
      await holds()
    },
    { everyMs: 500, withinMs: 40_000 },
  )

test('a queue message lost: the sweep sends the item again', async () => {
  const user = await newTenant()
  const item = await stored(ctxOf(user), 'Its message is lost.')
  const send = vi.fn<typeof system.queues.send>(async () => {})
  const swept = { ...system, queues: { send } }
  await resendEmbeddings(swept)
  expect(JSON.stringify(send.mock.calls)).not.toContain(item.id)
  await atTime(61_000, () => resendEmbeddings(swept))
  expect(JSON.stringify(send.mock.calls)).toContain(item.id)
})

test('a message that the queue gave up on: its items are due at once', async () => {
  const user = await newTenant()
  const item = await stored(ctxOf(user), 'Buried.')
  const body = { kind: 'embed', shard: '00', ids: [item.id] }
  await embedConsumer.onDeadLetters(system, [{ id: 'm', body, attempts: 5, sentAt: 0, ack: () => {}, retry: () => {} }])
  const row = await db.first<{ next_attempt_at: number }>(
    'select next_attempt_at from memory_items where id = ?',
    item.id,
  )
  expect(row?.next_attempt_at).toBeLessThanOrEqual(system.now())
})

test('through the real queue, what the sweep sends again is embedded', async () => {
  const user = await newTenant()
  const item = await stored(ctxOf(user), 'Its message is lost too.')
  await sweepUntil(async () => expect(await rowOf(item.id)).toMatchObject({ embedding_status: 'completed' }))
})

const narrower: Embedder = {
  ...system.embedder,
  dimension: 384,
  embed: async (texts, purpose) =>
    (await system.embedder.embed(texts, purpose)).map((values) => values.subarray(0, 384)),
}

test.each([
  ['a changed model', { ...system.embedder, model: 'test/other' }],
  ['a changed dimension of the same model', narrower],
])('%s re-embeds in the background', async (_, model) => {
  const user = await newTenant()
  const [id = ''] = await embedded(ctxOf(user), ['Made by the old model.'])
  const next = ctxOf(user, { embedder: model, queues: losingQueues })
  expect(idsOf(await find(next, 'old model', { mode: 'semantic' }))).toEqual([])
  const state = async () => {
    await resendEmbeddings({ ...next, shards: ['00'] })
    return rowOf(id)
  }
  // A sweep takes a portion, and other tests have left items of the old model too.
  await expect.poll(state, { timeout: 20_000 }).toMatchObject({ embedding_status: 'pending', embedded_version: null })
  await embedItems(next, db, [id])
  expect(idsOf(await find(next, 'old model', { mode: 'semantic' }))).toEqual([id])
})

test(
  'after a burst of 500 stores, with messages lost and messages doubled, everything is embedded',
  { timeout: 60_000 },
  async () => {
    // What a request that has died meant to send together with others is taken for lost only after a second.
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
        'select embedding_status as state, count(*) as n from memory_items where tenant_id = ? group by 1',
        user.tenantId,
      )
      return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
    }
    // Three of the ten messages are lost, and nobody but the sweep can know.
    await expect.poll(states, { timeout: 30_000 }).toEqual({ completed: 350, pending: 150 })
    await sweepUntil(async () => expect(await states()).toEqual({ completed: 500 }))
    const names = await system.projectVectors(user.projectId).names(ids.map((item) => ({ item })))
    expect(names.sort()).toEqual(ids.map((id) => `${id}:1:0`).sort())
    const events = await db.all(
      "select id from events where tenant_id = ? and type = 'memory.embedding_complete'",
      user.tenantId,
    )
    expect(events).toHaveLength(500)
  },
)
