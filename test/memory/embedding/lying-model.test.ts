import { expect, test, vi } from 'vitest'
import { FailedAnswer, ModelDown, TextRefused } from '../../../src/core/embedding.ts'
import type { EmbeddingModel } from '../../../src/core/models.ts'
import { embedItems } from '../../../src/memory/embedding/embed.ts'
import { update } from '../../../src/memory/operations/update.ts'
import { atTime, travel } from '../../support/clock.ts'
import { embeddingModel, withVectors } from '../../support/models.ts'
import { ctxOf, embedded, find, idsOf, rowOf, stored } from '../../support/search.ts'
import { db, newTenant, system } from '../../support/world.ts'

/** A model whose vectors a lie changes. */
const lyingModel = (lie: (vectors: Float32Array[]) => Float32Array[]): EmbeddingModel =>
  withVectors(embeddingModel, lie)

const UNUSABLE = 'The embedding model returned no usable vectors.'
const WRONG_DIMENSION = `The embedding model ${embeddingModel.model} returned vectors of 255 values; 256 are expected.`

const LIES: [string, string, EmbeddingModel][] = [
  ['another dimension', WRONG_DIMENSION, lyingModel((vectors) => vectors.map((vector) => vector.subarray(1)))],
  ['zeros', UNUSABLE, lyingModel((vectors) => vectors.map((vector) => vector.map(() => 0)))],
  ['what is no number', UNUSABLE, lyingModel((vectors) => vectors.map((vector) => vector.map(() => NaN)))],
  ['a vector too many', UNUSABLE, lyingModel((vectors) => [...vectors, ...vectors.slice(0, 1)])],
]

test.each(LIES)('a model that answers %s counts as down: "%s"', async (_, said, model) => {
  const user = await newTenant()
  const down = ctxOf(user, { embeddingModel: model })
  const item = await stored(down, 'The lighthouse keeper writes letters.')
  await embedItems(down, db, [item.id])
  expect(await rowOf(item.id)).toMatchObject({
    embedding_status: 'pending',
    embedding_error: said,
  })
  expect(await system.projectVectors(user.projectId, '00').names([{ item: item.id }])).toEqual([])
  const keywordMatches = await find(down, 'lighthouse letters')
  expect(keywordMatches).toMatchObject({ degraded: 'semantic_unavailable', query_vector_id: null })
  expect(idsOf(keywordMatches)).toEqual([item.id])
  await expect(find(down, 'lighthouse letters', { mode: 'semantic' })).rejects.toMatchObject({ status: 503 })
  await embedItems(system, db, [item.id])
  expect(idsOf(await find(ctxOf(user), 'lighthouse letters', { mode: 'semantic' }))).toEqual([item.id])
})

test('contract §3: a text of which the model knows nothing is completed without a vector, and the vectors of its older text go', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const [id = ''] = await embedded(ctx, ['A kettle boils.'])
  const names = () => system.projectVectors(user.projectId, '00').names([{ item: id }])
  expect(await names()).toEqual([`${id}:1:0`])
  await update(ctx, { id, input: { content: { text: '🍵🍵🍵' } }, ifMatch: null })
  await embedItems(ctx, db, [id])
  const row = await db.first('select embedding_status, chunk_count from memory_items where id = :id', { id })
  expect(row).toEqual({ embedding_status: 'completed', chunk_count: 0 })
  expect(await names()).toEqual([])
  expect(idsOf(await find(ctx, 'a boiling kettle', { mode: 'semantic' }))).toEqual([])
})

test('a query of which the model knows nothing has no semantic matches, and the search is not degraded', async () => {
  const user = await newTenant()
  const [tea] = await embedded(ctxOf(user), ['tea 🍵', 'a boiling kettle'])
  const semantic = await find(ctxOf(user), '🍵', { mode: 'semantic' })
  expect(semantic).toMatchObject({ results: [], total: 0, query_vector_id: null })
  const { results, degraded } = await find(ctxOf(user), 'tea 🍵')
  expect([results[0]?.id, degraded]).toEqual([tea, undefined])
})

/** A model that refuses the calls for which `refuses` says so; it is given their number, from 1 on, and the texts. */
function refusingModel(refuses: (call: number, texts: readonly string[]) => boolean): EmbeddingModel {
  let calls = 0
  return {
    ...embeddingModel,
    embed: async (texts, purpose) => {
      calls += 1
      if (refuses(calls, texts)) throw new TextRefused('no', { cause: new FailedAnswer('a-model', 400) })
      return embeddingModel.embed(texts, purpose)
    },
  }
}

test('a model that refuses every text for a while is down: no item fails for good', async () => {
  const user = await newTenant()
  let well = false
  const ctx = ctxOf(user, { embeddingModel: refusingModel(() => !well) })
  const ids = await embedded(ctx, ['one', 'two', 'three'])
  for (const id of ids) {
    expect(await rowOf(id)).toMatchObject({
      embedding_status: 'pending',
      embedding_error: 'The embedding model a-model answered with status 400.',
    })
  }
  well = true
  await atTime(5_000, () => embedItems(ctx, db, ids))
  for (const id of ids) expect(await rowOf(id)).toMatchObject({ embedding_status: 'completed' })
})

test.each([
  ['begins to refuse everything after it took the harmless text', (call: number) => call === 1 || call >= 3],
  ['takes everything again right after it refused the item', (call: number) => call === 1],
])('a model that %s: the item does not fail for good', async (_, refuses) => {
  const user = await newTenant()
  const [id = ''] = await embedded(ctxOf(user, { embeddingModel: refusingModel(refuses) }), ['one'])
  expect((await rowOf(id))?.embedding_status).not.toBe('failed')
})

test('a text of which the model makes zeros fails alone, and the model counts as well', async () => {
  const user = await newTenant()
  const picky: EmbeddingModel = {
    ...embeddingModel,
    embed: async (texts, purpose) =>
      (await embeddingModel.embed(texts, purpose)).map((vector, at) =>
        vector && texts[at] === 'poison' ? { ...vector, values: vector.values.map(() => 0) } : vector,
      ),
  }
  const ctx = ctxOf(user, { embeddingModel: picky })
  const [good = '', bad = ''] = await embedded(ctx, ['good', 'poison'])
  expect(await rowOf(good)).toMatchObject({ embedding_status: 'completed' })
  expect(await rowOf(bad)).toMatchObject({
    embedding_status: 'failed',
    embedding_error: 'The embedding model refused this text.',
  })
  expect(ctx.embedder.down()).toBeNull()
})

test('items wait as long as the model asks for, say why, and that costs them no attempt', async () => {
  const user = await newTenant()
  travel(0)
  const embed = vi.fn<EmbeddingModel['embed']>(() =>
    Promise.reject(new ModelDown('429', 600_000, { cause: new FailedAnswer('a-model', 429) })),
  )
  const down = ctxOf(user, { embeddingModel: { ...embeddingModel, embed } })
  const asked = await stored(down, 'asked for')
  const waiting = await stored(down, 'not even asked for')
  for (const { id } of [asked, waiting]) {
    await embedItems(down, db, [id])
    expect(await rowOf(id)).toMatchObject({
      embedding_status: 'pending',
      embedding_error: 'The embedding model a-model answered with status 429.',
      attempts: 0,
    })
    const row = await db.first<{ due: number }>('select next_attempt_at as due from memory_items where id = :id', {
      id,
    })
    expect(row?.due).toBe(system.now() + 600_000)
  }
  expect(embed).toHaveBeenCalledTimes(1)
})
