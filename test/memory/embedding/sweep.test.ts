import { expect, test, vi } from 'vitest'
import type { EmbeddingModel } from '../../../src/core/models.ts'
import { embedItems } from '../../../src/memory/embedding/embed.ts'
import { embedSweep } from '../../../src/memory/embedding/sweep.ts'
import { atTime } from '../../support/clock.ts'
import { ctxOf, embedded, find, idsOf, losingQueues, rowOf, stored, sweepUntil } from '../../support/search.ts'
import { until } from '../../support/until.ts'
import { db, newTenant, system } from '../../support/world.ts'
import { embeddingModel, withVectors } from '../../support/models.ts'

test('a queue message lost: the sweep sends the item again', async () => {
  const user = await newTenant()
  const item = await stored(ctxOf(user), 'Its message is lost.')
  const send = vi.fn<typeof system.queues.send>(async () => {})
  const swept = { ...system, queues: { send } }
  await embedSweep.run(swept)
  expect(JSON.stringify(send.mock.calls)).not.toContain(item.id)
  // A sweep sends a bounded number again, and what other tests left is as late.
  await until(async () => {
    await atTime(61_000, () => embedSweep.run(swept))
    expect(JSON.stringify(send.mock.calls)).toContain(item.id)
  })
})

test('through the real queue, what the sweep sends again is embedded', async () => {
  const user = await newTenant()
  const item = await stored(ctxOf(user), 'Its message is lost too.')
  await sweepUntil(async () => expect(await rowOf(item.id)).toMatchObject({ embedding_status: 'completed' }))
})

const narrower: EmbeddingModel = {
  ...withVectors(embeddingModel, (vectors) => vectors.map((values) => values.subarray(0, 128))),
  dimension: 128,
}

test.each([
  ['a changed model', { ...embeddingModel, model: 'test/other' }],
  ['a changed dimension of the same model', narrower],
])('%s re-embeds in the background', async (_, model) => {
  const user = await newTenant()
  const [id = ''] = await embedded(ctxOf(user), ['Made by the old model.'])
  const next = ctxOf(user, { embeddingModel: model, queues: losingQueues })
  expect(idsOf(await find(next, 'old model', { mode: 'semantic' }))).toEqual([])
  const state = async () => {
    await embedSweep.run({ ...next, shards: ['00'] })
    return rowOf(id)
  }
  // A sweep sends a bounded number, and other tests have left items of the old model too.
  await expect.poll(state).toMatchObject({ embedding_status: 'pending', embedded_version: null })
  await embedItems(next, db, [id])
  expect(idsOf(await find(next, 'old model', { mode: 'semantic' }))).toEqual([id])
})
