/** @module-tag shards */
import { afterEach, expect, test, vi } from 'vitest'
import type { AuthContext } from '../../../src/core/context.ts'
import { UnusableAnswer } from '../../../src/core/embedding.ts'
import { queryVector } from '../../../src/memory/search/query-vector.ts'
import { fakeTimers } from '../../support/fake-timers.ts'
import { brokenEmbedder, ctxOf, withVectors } from '../../support/search.ts'
import { newTenant, system } from '../../support/world.ts'

afterEach(() => void vi.restoreAllMocks())

/** The context of a new user, and the texts that its embedder was asked for. */
async function arrange() {
  const user = await newTenant()
  const asked: string[] = []
  const embed: AuthContext['embedder']['embed'] = async (texts, purpose) => {
    asked.push(...texts.map((text) => `${purpose}: ${text}`))
    return system.embedder.embed(texts, purpose)
  }
  return { user, asked, ctx: ctxOf(user, { embedder: { ...system.embedder, remote: true, embed } }) }
}

test('a repeated query costs no model call and has the same id and vector', async () => {
  const { ctx, asked } = await arrange()
  const [first, again, other] = [
    await queryVector(ctx, 'tea'),
    await queryVector(ctx, 'tea'),
    await queryVector(ctx, 'tee'),
  ]
  expect(asked).toEqual(['query: tea', 'query: tee'])
  expect(again).toEqual(first)
  expect(first.id).toMatch(/^qv_[0-9a-f]{26}$/)
  expect(first.embedding).toEqual((await system.embedder.embed(['tea'], 'query'))[0])
  expect(other.id).not.toBe(first.id)
})

test("a query is never answered from another tenant's, nor from another model's", async () => {
  const [mine, theirs] = [await arrange(), await arrange()]
  const first = await queryVector(mine.ctx, 'a secret plan')
  const foreign = await queryVector(theirs.ctx, 'a secret plan')
  expect(theirs.asked).toEqual(['query: a secret plan'])
  expect(foreign.id).not.toBe(first.id)
  const newer = await queryVector({ ...mine.ctx, embedder: { ...mine.ctx.embedder, model: 'newer' } }, 'a secret plan')
  expect(mine.asked).toHaveLength(2)
  expect(newer.id).not.toBe(first.id)
})

test('a thousand vectors are cached; the least recently used goes first', async () => {
  const { ctx, asked } = await arrange()
  const ask = async (from: number, to: number) => {
    for (let n = from; n <= to; n++) await queryVector(ctx, `query ${n}`)
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

test('a model that fails is asked again', async () => {
  const { ctx, asked } = await arrange()
  await expect(queryVector({ ...ctx, embedder: brokenEmbedder(ctx.embedder) }, 'tea')).rejects.toThrow('down')
  await expect(queryVector({ ...ctx, embedder: { ...ctx.embedder, embed: async () => [] } }, 'tea')).rejects.toThrow(
    'no vector',
  )
  await queryVector(ctx, 'tea')
  expect(asked).toEqual(['query: tea'])
})

test.each([
  ['of another dimension', (vector: Float32Array) => [vector.subarray(1)]],
  ['of zeros', (vector: Float32Array) => [vector.map(() => 0)]],
  ['that is not finite', (vector: Float32Array) => [vector.map(() => NaN)]],
  ['and one too many', (vector: Float32Array) => [vector, vector]],
])('a vector %s is refused and not remembered: the model is asked again', async (_, lie) => {
  const { ctx, asked } = await arrange()
  const embedder = withVectors(system.embedder, (vectors) => vectors.flatMap(lie))
  await expect(queryVector({ ...ctx, embedder }, 'tea')).rejects.toThrow(UnusableAnswer)
  await queryVector(ctx, 'tea')
  expect(asked).toEqual(['query: tea'])
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
  void queryVector({ ...ctx, embedder: { ...ctx.embedder, remote: true, embed } }, 'tea').catch(failure)
  await asked.promise
  await vi.advanceTimersByTimeAsync(2_999)
  expect(failure).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(failure).toHaveBeenCalledWith(new Error('no response within 3000 ms'))
})
