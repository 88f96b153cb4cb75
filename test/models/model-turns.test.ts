import { expect, test } from 'vitest'
import { LEAST_SHARE } from '../../src/core/batching/tenant-shares.ts'
import type { EmbeddingModel } from '../../src/core/models.ts'
import { MAX_MODEL_CALLS_OF_USER, MAX_WAITING_MODEL_CALLS } from '../../src/models/model-turns.ts'
import { MINUTE, travel } from '../support/clock.ts'
import { embeddingModel } from '../support/models.ts'
import { ctxOf, embedded, find } from '../support/search.ts'
import { until } from '../support/until.ts'
import { newTenant } from '../support/world.ts'

type Embed = EmbeddingModel['embed']

/** A model that answers no query that begins with "flood" before it may, and the queries that it was asked. */
function slowModel(remote: boolean) {
  const asked: string[] = []
  const gate = Promise.withResolvers<undefined>()
  const embed: Embed = async (texts, purpose) => {
    if (purpose === 'query') asked.push(...texts)
    if (purpose === 'query' && texts.some((text) => text.startsWith('flood'))) await gate.promise
    return embeddingModel.embed(texts, purpose)
  }
  const flooding = () => asked.filter((text) => text.startsWith('flood'))
  return { model: { ...embeddingModel, remote, embed }, flooding, open: () => gate.resolve(undefined) }
}

test("one user's flood of queries is answered by keyword for that user alone; another's search is answered by meaning", async () => {
  const { model, flooding, open } = slowModel(true)
  const [one, other] = [
    ctxOf(await newTenant(), { embeddingModel: model }),
    ctxOf(await newTenant(), { embeddingModel: model }),
  ]
  const [own] = await embedded(one, ['flood defences of the town'])
  const [id] = await embedded(other, ['The kettle boils water.'])
  const queries = Array.from({ length: MAX_MODEL_CALLS_OF_USER + MAX_WAITING_MODEL_CALLS }, (_, n) => `flood ${n}`)
  const flood = Promise.allSettled(queries.map((query) => one.embedder.query(query)))
  await until(() => expect(flooding()).toHaveLength(MAX_MODEL_CALLS_OF_USER))

  const reply = await find(other, 'kettle')
  expect(reply).toMatchObject({ results: [{ id, similarity: expect.any(Number) }] })
  expect(reply).not.toHaveProperty('degraded')

  const late = await find(one, 'flood defences')
  expect(late).toMatchObject({ degraded: 'semantic_unavailable', results: [{ id: own, similarity: null }] })
  await expect(find(one, 'flood walls', { mode: 'semantic' })).rejects.toMatchObject({ status: 503 })
  expect(flooding()).toHaveLength(MAX_MODEL_CALLS_OF_USER)

  open()
  await flood
})

test('a query that waited gets its vector once one before it has its own', async () => {
  const { model, flooding, open } = slowModel(true)
  const ctx = ctxOf(await newTenant(), { embeddingModel: model })
  const queries = Array.from({ length: MAX_MODEL_CALLS_OF_USER + 1 }, (_, n) => `flood of ${n}`)
  const all = Promise.all(queries.map((query) => ctx.embedder.query(query)))
  await until(() => expect(flooding()).toHaveLength(MAX_MODEL_CALLS_OF_USER))
  open()
  expect(await all).toHaveLength(queries.length)
  expect(flooding()).toEqual(queries)
})

test('a model that needs no call is not bounded', async () => {
  const { model, flooding, open } = slowModel(false)
  const ctx = ctxOf(await newTenant(), { embeddingModel: model })
  const queries = Array.from({ length: 2 * MAX_MODEL_CALLS_OF_USER }, (_, n) => `flood by ${n}`)
  const all = Promise.all(queries.map((query) => ctx.embedder.query(query)))
  await until(() => expect(flooding()).toHaveLength(queries.length))
  open()
  expect(await all).toHaveLength(queries.length)
})

test('a model that fails: the tenant that asks most has half of the calls that it bore, and another is answered by meaning', async () => {
  travel(0)
  let failing = false
  const asked: string[] = []
  const embed: Embed = async (texts, purpose) => {
    if (failing) throw new Error('the account has no calls left in this minute')
    if (purpose === 'query') asked.push(...texts)
    return embeddingModel.embed(texts, purpose)
  }
  const model = { ...embeddingModel, remote: true, embed }
  const [busy, other] = [
    ctxOf(await newTenant(), { embeddingModel: model }),
    ctxOf(await newTenant(), { embeddingModel: model }),
  ]
  const [id] = await embedded(other, ['The kettle boils water.'])
  const ask = (name: string) => busy.embedder.query(name)
  for (let at = 0; at < 2 * LEAST_SHARE; at += MAX_MODEL_CALLS_OF_USER)
    await Promise.all(Array.from({ length: MAX_MODEL_CALLS_OF_USER }, (_, n) => ask(`before ${at + n}`)))
  await other.embedder.query('before')
  failing = true
  await expect(ask('one too many')).rejects.toThrow('no calls left')
  failing = false
  await expect(ask('again')).rejects.toMatchObject({ status: 503 })
  expect(await find(other, 'kettle')).toMatchObject({ results: [{ id, similarity: expect.any(Number) }] })
  expect(asked).not.toContain('again')
  travel(MINUTE)
  await ask('in the next minute')
  expect(asked).toContain('in the next minute')
})
