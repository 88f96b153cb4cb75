/** @module-tag long */
import { beforeEach, expect, test } from 'vitest'
import type { System } from '../../../src/core/context.ts'
import { ModelDown } from '../../../src/core/embedding.ts'
import type { EmbeddingModel } from '../../../src/core/models.ts'
import { embedConsumer } from '../../../src/memory/embedding/consumer.ts'
import type { EmbedMessage } from '../../../src/memory/embedding/queue.ts'
import { embedSweep } from '../../../src/memory/embedding/sweep.ts'
import { travel } from '../../support/clock.ts'
import { embeddingModel, systemWith } from '../../support/models.ts'
import { messageOf } from '../../support/queue-message.ts'
import { ctxOf, embedded, rowOf, stored } from '../../support/search.ts'
import { until } from '../../support/until.ts'
import { db, newTenant, system } from '../../support/world.ts'

/** The system with a queue that keeps its messages for the test, and with a model of its own. */
function arrange(model = embeddingModel, changes: Partial<System> = {}) {
  const sent: { message: EmbedMessage; delaySeconds: number }[] = []
  const own = systemWith(model, {
    queues: {
      send: async (_, bodies, { delaySeconds = 0 } = {}) =>
        void sent.push(...bodies.map((body) => ({ message: body as EmbedMessage, delaySeconds }))),
    },
    ...changes,
  })
  const consume = (body: EmbedMessage) => embedConsumer.consume(own, [messageOf(body)])
  return { own, sent, consume }
}

/** A model whose every call takes so long on the clock of the service. */
const slow = (ms: number): EmbeddingModel => ({
  ...embeddingModel,
  embed: async (...call) => {
    travel(ms)
    return embeddingModel.embed(...call)
  },
})

const statusOf = async (id: string) => (await rowOf(id))?.embedding_status

/** Makes all items of a user due, as after a restore. */
const restore = (tenantId: string) =>
  db.write(
    `update memory_items set embedding_status = 'pending', embedded_version = null, next_attempt_at = 0 where tenant_id = :tenant`,
    { tenant: tenantId },
  )

const chain = (end: number, ids: string[] = []): EmbedMessage => ({ kind: 'embed', shard: '00', ids, until: end })

// Items of other tests may be due too, and a consumer of the real queue may be at work on them: those are embedded first.
beforeEach(() =>
  until(async () => {
    await embedConsumer.consume(system, [messageOf(chain(system.now() + 50_000))])
    const left = await db.first<{ n: number }>(
      `select count(*) as n from memory_items
       where embedding_status in ('pending', 'processing') and deleted_at is null and next_attempt_at <= :next_attempt_at`,
      { next_attempt_at: system.now() },
    )
    if (left?.n !== 0) throw new Error(`${left?.n} items of other tests are due`)
  }),
)

test('a sweep sends one message, whose consumer goes on for less than the minute between two sweeps', async () => {
  travel(0)
  const user = await newTenant()
  const item = await stored(ctxOf(user), 'restored')
  await restore(user.tenantId)
  const { own, sent } = arrange()
  await embedSweep.run(own)
  expect(sent).toHaveLength(1)
  expect(sent[0]?.message.ids).toContain(item.id)
  const { until: end = 0 } = sent[0]?.message ?? {}
  expect(end - system.now()).toBeGreaterThan(0)
  expect(end - system.now()).toBeLessThan(60_000)
})

test('the consumer that finishes a portion takes the next one: after a restore, and after a change of model', async () => {
  travel(0)
  const [restored, outdated] = [await newTenant(), await newTenant()]
  const [one = ''] = await embedded(ctxOf(restored), ['restored'])
  const [other = ''] = await embedded(ctxOf(outdated), ['outdated'])
  await restore(restored.tenantId)
  await db.write(`update memory_items set embedding_model = 'an/older-model' where id = :other`, { other })
  const { consume, sent } = arrange()
  await consume(chain(system.now() + 50_000))
  expect([await statusOf(one), await statusOf(other)]).toEqual(['completed', 'completed'])
  const row = await db.first<{ model: string }>('select embedding_model as model from memory_items where id = :other', {
    other,
  })
  expect(row?.model).toBe(system.embedder.model)
  expect(sent).toEqual([])
})

test('a plain message takes no other items', async () => {
  travel(0)
  const user = await newTenant()
  const item = await stored(ctxOf(user), 'restored')
  await restore(user.tenantId)
  const { consume } = arrange()
  await consume({ kind: 'embed', shard: '00', ids: [] })
  expect(await statusOf(item.id)).toBe('pending')
})

test('it lets other messages in after a while and goes on with the rest', async () => {
  travel(0)
  const user = await newTenant()
  const ids = await embedded(
    ctxOf(user),
    Array.from({ length: 120 }, (_, n) => `text ${n}`),
  )
  await restore(user.tenantId)
  const { consume, sent } = arrange(slow(5_000))
  const end = system.now() + 50_000
  await consume(chain(end, ids))
  const statuses = await Promise.all(ids.map(statusOf))
  expect(statuses.filter((status) => status === 'completed')).toHaveLength(50)
  expect(sent).toEqual([{ message: chain(end, ids.slice(50)), delaySeconds: 0 }])
})

test('it ends when its time is over: what is left waits for the next sweep', async () => {
  travel(0)
  const user = await newTenant()
  const item = await stored(ctxOf(user), 'restored')
  const { consume, sent } = arrange(slow(60_000))
  await restore(user.tenantId)
  await consume(chain(system.now() + 50_000, [item.id]))
  expect(sent).toEqual([])
  await restore(user.tenantId)
  await consume(chain(system.now() - 1))
  expect(await statusOf(item.id)).toBe('pending')
})

test('it waits as long as the model asks for, and ends where that is too long', async () => {
  travel(0)
  const user = await newTenant()
  const item = await stored(ctxOf(user), 'restored')
  await restore(user.tenantId)
  const end = system.now() + 50_000
  for (const [pauseMs, delays] of [
    [7_500, [8]],
    [60_000, []],
  ] as const) {
    const model = { ...embeddingModel, embed: () => Promise.reject(new ModelDown('429', pauseMs)) }
    const { consume, sent } = arrange(model)
    await restore(user.tenantId)
    await consume(chain(end, [item.id]))
    expect(sent.map(({ delaySeconds }) => delaySeconds)).toEqual(delays)
    expect(await rowOf(item.id)).toMatchObject({ embedding_status: 'pending', attempts: 0 })
  }
})
