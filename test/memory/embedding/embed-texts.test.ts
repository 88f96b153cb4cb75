import { expect, test } from 'vitest'
import { FailedAnswer, TextRefused, UnusableAnswer } from '../../../src/core/embedding.ts'
import type { EmbeddingModel } from '../../../src/core/models.ts'
import { embedItems } from '../../../src/memory/embedding/embed.ts'
import { embedTexts, isRefused } from '../../../src/memory/embedding/embed-texts.ts'
import { REMEMBERED_MS } from '../../../src/models/embedder.ts'
import { travel } from '../../support/clock.ts'
import { embeddingModel, systemWith } from '../../support/models.ts'
import { ctxOf, rowOf, stored } from '../../support/search.ts'
import { db, newTenant, system } from '../../support/world.ts'

const refusal = () => new TextRefused('no', { cause: new FailedAnswer('a-model', 422) })

/** A service that takes at most `most` texts a call, and no text that says poison. `sizes`: of all calls, refused ones too. */
function serviceOf(most: number, { maxTexts = 100, failure = (): Error => refusal() } = {}) {
  const sizes: number[] = []
  const model: EmbeddingModel = {
    ...embeddingModel,
    maxTexts,
    embed: async (texts, purpose) => {
      sizes.push(texts.length)
      if (texts.length > most || texts.some((text) => text.includes('poison'))) throw failure()
      return embeddingModel.embed(texts, purpose)
    },
  }
  return { model, sizes, own: systemWith(model) }
}

const partsOf = (count: number, poisoned: readonly number[] = []) =>
  Array.from({ length: count }, (_, at) => ({
    text: poisoned.includes(at) ? 'poison' : `kettle number ${at}`,
    pieces: undefined,
  }))

test('a service that takes 32 texts a call: the call is halved, and the size that passed is remembered', async () => {
  travel(0)
  const { own, sizes } = serviceOf(32)
  const outcomes = await embedTexts(own, partsOf(100))
  expect(outcomes).toHaveLength(100)
  expect(outcomes.some(isRefused)).toBe(false)
  // A harmless text shows each time that the service is well.
  expect(sizes).toEqual([100, 1, 50, 1, 25, 25, 25, 25])
  sizes.length = 0
  await embedTexts(own, partsOf(60))
  expect(sizes).toEqual([25, 25, 10])
  travel(REMEMBERED_MS)
  sizes.length = 0
  await embedTexts(own, partsOf(30))
  expect(sizes).toEqual([30])
})

test('each text has its own vector after the halving', async () => {
  const { own } = serviceOf(7)
  const texts = partsOf(40)
  const whole = await embedTexts(system, texts)
  expect(await embedTexts(own, texts)).toEqual(whole)
})

test('a text that the service refuses is found and blamed alone, and teaches no size', async () => {
  const { own, sizes } = serviceOf(100)
  const outcomes = await embedTexts(own, partsOf(64, [37]))
  expect(outcomes.flatMap((outcome, at) => (isRefused(outcome) ? [at] : []))).toEqual([37])
  sizes.length = 0
  await embedTexts(own, partsOf(64))
  expect(sizes).toEqual([64])
})

test('a refused text among too many: both are found', async () => {
  const { own, sizes } = serviceOf(32)
  const outcomes = await embedTexts(own, partsOf(100, [0]))
  expect(outcomes.flatMap((outcome, at) => (isRefused(outcome) ? [at] : []))).toEqual([0])
  sizes.length = 0
  await embedTexts(own, partsOf(100))
  expect(Math.max(...sizes)).toBeLessThanOrEqual(32)
})

test('a service that answers fewer vectors than texts is halved too', async () => {
  const { own } = serviceOf(32, { failure: () => new UnusableAnswer('32 vectors for 100 texts') })
  expect((await embedTexts(own, partsOf(100))).some(isRefused)).toBe(false)
})

test('EMBEDDINGS_BATCH spares a service all refusals', async () => {
  const { own, sizes } = serviceOf(32, { maxTexts: 32 })
  await embedTexts(own, partsOf(100))
  expect(sizes).toEqual([32, 32, 32, 4])
})

test('a service that refuses everything is down: no text is to blame', async () => {
  const { own } = serviceOf(0)
  await expect(embedTexts(own, partsOf(3))).rejects.toThrow(TextRefused)
  expect(own.embedder.down()).not.toBeNull()
})

test('a long item is embedded by a service that takes 32 texts a call, beside one that it refuses', async () => {
  const user = await newTenant()
  const { model } = serviceOf(32)
  const ctx = ctxOf(user, { embeddingModel: model })
  const long = Array.from({ length: 4_000 }, (_, at) => `kettle w${at}.`).join(' ')
  const [whole, poisoned] = [await stored(ctx, long), await stored(ctx, 'poison')]
  await embedItems(ctx, db, [whole.id, poisoned.id])
  expect(await rowOf(whole.id)).toMatchObject({ embedding_status: 'completed' })
  expect(await rowOf(poisoned.id)).toMatchObject({
    embedding_status: 'failed',
    embedding_error: 'The embedding model refused this text.',
  })
  const row = await db.first<{ chunk_count: number }>('select chunk_count from memory_items where id = :id', {
    id: whole.id,
  })
  expect(row?.chunk_count).toBeGreaterThan(32)
})
