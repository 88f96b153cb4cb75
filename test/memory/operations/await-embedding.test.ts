import { expect, test } from 'vitest'
import { awaitEmbedding } from '../../../src/memory/operations/await-embedding.ts'
import { embedItems } from '../../../src/memory/embedding/embed.ts'
import { newWriter } from '../../support/memory.ts'
import { brokenEmbedder, ctxOf, rowOf, slowEmbedder, stored } from '../../support/search.ts'
import { db, newTenant, system } from '../../support/world.ts'

test('wait_ms waits for the embedding: completed means that a semantic search finds it now', async () => {
  const user = await newWriter()
  const { status, body } = await user.store({ content: 'Lighthouse keepers love fog.', wait_ms: 10_000 })
  expect(status).toBe(201)
  expect(body).toMatchObject({ embedding_status: 'completed', embedding_model: expect.any(String), version: 1 })
  const found = await user.send('POST', '/api/memory/search', { query: 'lighthouse keepers fog', mode: 'semantic' })
  expect(found.body.results[0].id).toBe(body.id)
})

test('wait_ms is 0 to 10000', async () => {
  const user = await newWriter()
  const answers = await Promise.all([-1, 10_001, 1.5, '5'].map((wait_ms) => user.store({ content: 'x', wait_ms })))
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([422]))
})

test('what is not done in time is answered as it is, and goes on after the answer', async () => {
  const user = await newTenant()
  const slow = slowEmbedder(system.embedder)
  const after: Promise<unknown>[] = []
  const ctx = ctxOf(user, { embedder: slow.embedder, waitUntil: (work) => void after.push(work) })
  const item = await stored(ctx, 'Lighthouse keepers love fog.')
  expect(await awaitEmbedding(ctx, item, 50)).toMatchObject({ id: item.id, embedding_status: 'processing' })
  slow.answer()
  await Promise.all(after)
  expect(await rowOf(item.id)).toMatchObject({ embedding_status: 'completed' })
})

test('where another worker holds the item it looks on until that one is done', async () => {
  const user = await newTenant()
  const slow = slowEmbedder(system.embedder)
  const ctx = ctxOf(user)
  const item = await stored(ctx, 'Lighthouse keepers love fog.')
  const other = embedItems(ctxOf(user, { embedder: slow.embedder }), db, [item.id])
  await slow.asked
  const waiting = awaitEmbedding(ctx, item, 10_000)
  slow.answer()
  expect(await waiting).toMatchObject({ embedding_status: 'completed', version: 1 })
  await other
})

test('a model that fails leaves the item pending, with the reason, and the store answers 201', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user, { embedder: brokenEmbedder(system.embedder) })
  const item = await stored(ctx, 'Lighthouse keepers love fog.')
  expect(await awaitEmbedding(ctx, item, 10_000)).toMatchObject({
    embedding_status: 'pending',
    embedding_error: 'The embedding model did not answer.',
  })
})
