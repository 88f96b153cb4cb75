import { expect, test, vi } from 'vitest'
import type { EmbeddingModel } from '../../src/core/models.ts'
import { embedItems } from '../../src/memory/embedding/embed.ts'
import { brokenModel, embeddingModel, systemWith, withVectors } from '../support/models.ts'
import { ctxOf, embedded, find, idsOf, rowOf, stored } from '../support/search.ts'
import { db, newTenant, system } from '../support/world.ts'

let models = 0

/** A model of its own that answers so many dimensions, of which nobody said how many. */
const silent = (dimension: number, model = `test/silent-${(models += 1)}`): EmbeddingModel => ({
  ...withVectors(embeddingModel, (vectors) => vectors.map((values) => values.subarray(0, dimension))),
  model,
  dimension: null,
})

const ask = (model: EmbeddingModel) => systemWith(model).embedder.embed(['tea'])

const storedDimension = (model: string) =>
  db.first<{ dimension: number }>('select dimension from embedding_models where model = :model', { model })

test('the dimension that nobody said is learnt from two answers and stored; another isolate knows it', async () => {
  const model = silent(96)
  const { embedder } = systemWith(model)
  expect(embedder.dimension).toBeNull()
  await ask(model)
  expect(embedder.dimension).toBe(96)
  expect(await storedDimension(embedder.model)).toEqual({ dimension: 96 })
  await expect(ask(silent(64, embedder.model))).rejects.toThrow(
    `The embedding model ${embedder.model} returned vectors of 64 values; 96 are expected.`,
  )
  expect(await storedDimension(embedder.model)).toEqual({ dimension: 96 })
})

test('of two first answers at once one counts', async () => {
  const model = `test/silent-${(models += 1)}`
  const both = await Promise.allSettled([ask(silent(96, model)), ask(silent(64, model))])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const winner = both[0]?.status === 'fulfilled' ? 96 : 64
  expect(await storedDimension(model)).toEqual({ dimension: winner })
})

test('an answer of another dimension than the next one teaches nothing', async () => {
  const model = `test/silent-${(models += 1)}`
  const [first, then] = [silent(5, model), silent(96, model)]
  let calls = 0
  const odd: EmbeddingModel = { ...then, embed: (...call) => ((calls += 1) === 1 ? first : then).embed(...call) }
  await expect(ask(odd)).rejects.toThrow('the model returned vectors of 5 values, then of 96')
  expect(await storedDimension(model)).toBeNull()
  await ask(odd)
  expect(await storedDimension(model)).toEqual({ dimension: 96 })
  await ask(odd)
  expect(calls).toBe(5)
})

test('an item that a first, odd answer met is embedded by the next ones', async () => {
  const user = await newTenant()
  const model = `test/silent-${(models += 1)}`
  const [first, then] = [silent(5, model), silent(96, model)]
  let calls = 0
  const odd: EmbeddingModel = { ...then, embed: (...call) => ((calls += 1) === 1 ? first : then).embed(...call) }
  const [id = ''] = await embedded(ctxOf(user, { embeddingModel: odd }), ['a boiling kettle'])
  const row = await db.first('select embedding_status, embedding_dimension from memory_items where id = :id', { id })
  expect(row).toEqual({ embedding_status: 'completed', embedding_dimension: 96 })
})

test('a failure teaches nothing', async () => {
  const model = { ...brokenModel(), model: `test/silent-${(models += 1)}`, dimension: null }
  await expect(ask(model)).rejects.toThrow('down')
  expect(await storedDimension(model.model)).toBeNull()
  expect(systemWith(model).embedder.dimension).toBeNull()
})

test('items are stored with the dimension that came, found, and not outdated', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user, { embeddingModel: silent(96) })
  const [id = ''] = await embedded(ctx, ['a boiling kettle'])
  const row = await db.first('select embedding_dimension, chunk_count from memory_items where id = :id', { id })
  expect(row).toEqual({ embedding_dimension: 96, chunk_count: 1 })
  const found = await find(ctx, 'boiling kettle', { mode: 'semantic' })
  expect([idsOf(found), found.pending]).toEqual([[id], 0])
})

test('a stated dimension that is not the one that comes: item and log say what was expected and what came', async () => {
  const user = await newTenant()
  const error = vi.fn<typeof system.log.error>()
  const model = { ...silent(96), dimension: 768 }
  const ctx = ctxOf(user, { embeddingModel: model, log: { ...system.log, error } })
  const item = await stored(ctx, 'a boiling kettle')
  await embedItems(ctx, db, [item.id])
  const said = `The embedding model ${model.model} returned vectors of 96 values; 768 are expected.`
  expect(await rowOf(item.id)).toMatchObject({ embedding_status: 'pending', embedding_error: said })
  expect(ctx.embedder.down()).not.toBeNull()
  expect(error.mock.calls.map(([, cause]) => String(cause)).join()).toContain(said)
})
