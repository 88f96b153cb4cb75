/** @module-tag shards */
import { afterEach, expect, test, vi } from 'vitest'
import { UnusableAnswer } from '../../src/core/embedding.ts'
import type { EmbeddingModel } from '../../src/core/models.ts'
import { fakeTimers } from '../support/fake-timers.ts'
import { embeddingModel, withModel, withVectors } from '../support/models.ts'
import { ctxOf } from '../support/search.ts'
import { newTenant } from '../support/world.ts'

afterEach(() => void vi.restoreAllMocks())

/** The context of a new user, and the texts that its embedder was asked for. */
async function arrange() {
  const user = await newTenant()
  const asked: string[] = []
  const embed: EmbeddingModel['embed'] = async (texts, purpose) => {
    asked.push(...texts.map((text) => `${purpose}: ${text}`))
    return embeddingModel.embed(texts, purpose)
  }
  const model: EmbeddingModel = { ...embeddingModel, remote: true, embed }
  return { user, asked, model, ctx: ctxOf(user, { embeddingModel: model }) }
}

test('a repeated query costs no model call and has the same id and vector', async () => {
  const { ctx, asked } = await arrange()
  const [first, again, other] = [
    await ctx.embedder.query('tea'),
    await ctx.embedder.query('tea'),
    await ctx.embedder.query('tee'),
  ]
  expect(asked).toEqual(['query: tea', 'query: tee'])
  expect(again).toEqual(first)
  expect(first.id).toMatch(/^qv_[0-9a-f]{26}$/)
  expect(first.embedding).toEqual((await embeddingModel.embed(['tea'], 'query'))[0])
  expect(other.id).not.toBe(first.id)
})

test("a query is never answered from another tenant's, nor from another model's", async () => {
  const [mine, theirs] = [await arrange(), await arrange()]
  const first = await mine.ctx.embedder.query('a secret plan')
  const foreign = await theirs.ctx.embedder.query('a secret plan')
  expect(theirs.asked).toEqual(['query: a secret plan'])
  expect(foreign.id).not.toBe(first.id)
  const newer = await withModel(mine.ctx, { ...mine.model, model: 'newer' }).embedder.query('a secret plan')
  expect(mine.asked).toHaveLength(2)
  expect(newer.id).not.toBe(first.id)
})

test('a thousand vectors are cached; the least recently used goes first', async () => {
  const { ctx, asked } = await arrange()
  const ask = async (from: number, to: number) => {
    for (let n = from; n <= to; n++) await ctx.embedder.query(`query ${n}`)
  }
  await ask(1, 1_000)
  await ask(1, 1)
  expect(asked).toHaveLength(1_000)
  await ask(1_001, 1_001)
  await ask(1, 1)
  await ask(3, 1_000)
  expect(asked).toHaveLength(1_001)
  await ask(2, 2)
  expect(asked).toHaveLength(1_002)
})

/** A model that is remote, and answers its first call otherwise than the others. */
function wellAtLast(first: EmbeddingModel['embed']) {
  let asked = 0
  const embed: EmbeddingModel['embed'] = (...call) => {
    asked += 1
    return asked === 1 ? first(...call) : embeddingModel.embed(...call)
  }
  return { model: { ...embeddingModel, remote: true, embed }, asked: () => asked }
}

test.each<[string, EmbeddingModel['embed'], string]>([
  ['fails', () => Promise.reject(new Error('the model is down')), 'down'],
  ['answers nothing', async () => [], 'no vector'],
])('a model that %s is asked again', async (_, first, said) => {
  const { model, asked } = wellAtLast(first)
  const { embedder } = ctxOf(await newTenant(), { embeddingModel: model })
  await expect(embedder.query('tea')).rejects.toThrow(said)
  await embedder.query('tea')
  await embedder.query('tea')
  expect(asked()).toBe(2)
})

test.each([
  ['of another dimension', (vector: Float32Array) => [vector.subarray(1)]],
  ['of zeros', (vector: Float32Array) => [vector.map(() => 0)]],
  ['that is not finite', (vector: Float32Array) => [vector.map(() => NaN)]],
  ['and one too many', (vector: Float32Array) => [vector, vector]],
])('a vector %s is refused and not remembered: the model is asked again', async (_, lie) => {
  const liar = withVectors(embeddingModel, (vectors) => vectors.flatMap(lie))
  const { model, asked } = wellAtLast((...call) => liar.embed(...call))
  const { embedder } = ctxOf(await newTenant(), { embeddingModel: model })
  await expect(embedder.query('tea')).rejects.toThrow(UnusableAnswer)
  await embedder.query('tea')
  expect(asked()).toBe(2)
})

test('a model that does not answer within 3 s is an error', async () => {
  const { ctx } = await arrange()
  const asked = Promise.withResolvers<undefined>()
  const embed = () => {
    asked.resolve(undefined)
    return new Promise<never>(() => {})
  }
  fakeTimers('setTimeout')
  const failure = vi.fn()
  void withModel(ctx, { ...embeddingModel, remote: true, embed })
    .embedder.query('tea')
    .catch(failure)
  await asked.promise
  await vi.advanceTimersByTimeAsync(2_999)
  expect(failure).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(failure).toHaveBeenCalledWith(expect.objectContaining({ message: 'no response within 3000 ms' }))
})
