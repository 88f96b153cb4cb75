import { expect, test } from 'vitest'
import { newWriter } from '../support/memory.ts'

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
