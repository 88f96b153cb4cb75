/** @module-tag shards */
import { expect, test, vi } from 'vitest'
import { wordPieces } from '../../../src/backends/embedded/word-pieces.ts'
import { sentenceChunks } from '../../../src/backends/sentence-chunks.ts'
import { embedItems } from '../../../src/memory/embedding/embed.ts'
import type { EmbeddingModel } from '../../../src/core/models.ts'
import { embeddingModel, systemWith } from '../../support/models.ts'
import { db, newTenant, system } from '../../support/world.ts'
import { ctxOf, find, idsOf, rowOf, stored } from '../../support/search.ts'

test('texts of several tenants are one model call; where vectors of one project cannot be stored, only its items fail', async () => {
  const [here, there] = [await newTenant(), await newTenant()]
  const embed = vi.fn<EmbeddingModel['embed']>((...asked) => embeddingModel.embed(...asked))
  const model = { ...embeddingModel, embed }
  const failing: Partial<typeof system> = {
    projectVectors: (projectId, shard) => {
      const vectors = system.projectVectors(projectId, shard)
      return projectId === there.projectId ? { ...vectors, put: () => Promise.reject(new Error('gone')) } : vectors
    },
  }
  const one = await stored(ctxOf(here, failing), 'Violins are made of spruce.')
  const other = await stored(ctxOf(there, failing), 'Boats are made of oak.')
  await embedItems(systemWith(model, failing), db, [one.id, other.id])
  expect(embed).toHaveBeenCalledTimes(1)
  expect(await rowOf(one.id)).toMatchObject({ embedding_status: 'completed' })
  expect(await rowOf(other.id)).toMatchObject({
    embedding_status: 'pending',
    embedding_error: 'The vectors could not be stored.',
  })
  expect(idsOf(await find(ctxOf(here), 'spruce violins', { mode: 'semantic' }))).toEqual([one.id])
})

test('a slow model: embedded items are completed before the next model call, even of one claim', async () => {
  const user = await newTenant()
  // The chunks of the two do not fit into one model call.
  const long = Array.from({ length: 10_000 }, (_, at) => `w${at}`).join(' ')
  const items = [await stored(ctxOf(user), `one ${long}`), await stored(ctxOf(user), `two ${long}`)]
  const ids = items.map(({ id }) => id)
  let now = system.now()
  const before: string[][] = []
  const model: EmbeddingModel = {
    ...embeddingModel,
    chunks: (text) => sentenceChunks(text, 200),
    embed: async (texts, purpose) => {
      before.push(await Promise.all(ids.map(async (id) => String((await rowOf(id))?.embedding_status))))
      now += 1_000
      return embeddingModel.embed(texts, purpose)
    },
  }
  await embedItems(systemWith(model, { now: () => now }), db, ids)
  expect(before[0]).toEqual(['processing', 'processing'])
  expect(before.at(-1)).toEqual(['completed', 'processing'])
  for (const id of ids) expect(await rowOf(id)).toMatchObject({ embedding_status: 'completed' })
})

test('each call of the model has the pieces of its own texts, as the cut found them', async () => {
  const user = await newTenant()
  const embed = vi.fn<EmbeddingModel['embed']>((...asked) => embeddingModel.embed(...asked))
  const model = { ...embeddingModel, embed }
  const long = Array.from({ length: 5_000 }, (_, at) => `kettle w${at}`).join(' ')
  const item = await stored(ctxOf(user), long)
  await embedItems(systemWith(model), db, [item.id])
  expect(embed.mock.calls.length).toBeGreaterThan(1)
  for (const [texts, , , pieces = []] of embed.mock.calls)
    expect(pieces.map((known = new Uint16Array()) => [...known])).toEqual(texts.map(wordPieces))
})
