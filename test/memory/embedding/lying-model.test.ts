import { expect, test } from 'vitest'
import type { Embedder } from '../../../src/core/ports.ts'
import { embedItems } from '../../../src/memory/embedding/embed.ts'
import { ctxOf, embedded, find, idsOf, rowOf, stored } from '../../support/search.ts'
import { db, newTenant, system } from '../../support/world.ts'

/** An embedder whose vectors a lie changes. */
const lyingEmbedder = (lie: (vectors: Float32Array[]) => Float32Array[]): Embedder => ({
  ...system.embedder,
  embed: async (...call) => lie(await system.embedder.embed(...call)),
})

const LIES: [string, Embedder][] = [
  ['vectors of another dimension', lyingEmbedder((vectors) => vectors.map((vector) => vector.subarray(1)))],
  ['zeros', lyingEmbedder((vectors) => vectors.map((vector) => vector.map(() => 0)))],
  ['what is no number', lyingEmbedder((vectors) => vectors.map((vector) => vector.map(() => NaN)))],
  ['a vector too many', lyingEmbedder((vectors) => [...vectors, ...vectors.slice(0, 1)])],
]

test.each(LIES)('a model that answers %s counts as down', async (_, embedder) => {
  const user = await newTenant()
  const down = ctxOf(user, { embedder })
  const item = await stored(down, 'The lighthouse keeper writes letters.')
  await embedItems(down, db, [item.id])
  expect(await rowOf(item.id)).toMatchObject({
    embedding_status: 'pending',
    embedding_error: 'The embedding model did not answer.',
  })
  expect(await system.projectVectors(user.projectId).names([{ item: item.id }])).toEqual([])
  const keywordMatches = await find(down, 'lighthouse letters')
  expect(keywordMatches).toMatchObject({ degraded: 'semantic_unavailable', query_vector_id: null })
  expect(idsOf(keywordMatches)).toEqual([item.id])
  await expect(find(down, 'lighthouse letters', { mode: 'semantic' })).rejects.toMatchObject({ status: 503 })
  await embedItems(system, db, [item.id])
  expect(idsOf(await find(ctxOf(user), 'lighthouse letters', { mode: 'semantic' }))).toEqual([item.id])
})

test('a text without words is found by itself once it is completed', async () => {
  const user = await newTenant()
  const [tea = '', bolt] = await embedded(ctxOf(user), ['🍵🍵🍵', '⚡'])
  expect(await rowOf(tea)).toMatchObject({ embedding_status: 'completed' })
  const { results } = await find(ctxOf(user), '🍵🍵🍵', { mode: 'semantic' })
  expect(results.map(({ id }) => id)).toEqual([tea, bolt])
  expect(results[0]?.similarity).toBeCloseTo(1, 2)
})
