import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../support/until.ts'
import { startServer, type Server } from './support/server.ts'
import { signedUp } from './support/signed-up.ts'

let server: Server
let user: Awaited<ReturnType<typeof signedUp>>
/** The status of the model's answers. */
let status = 200
const asked: unknown[] = []

/** A model of 384 dimensions, as all-minilm has. A text is the direction of its first word. */
const vectorOf = (text: string): number[] => {
  const word = /^\w+/.exec(text.toLowerCase())?.[0] ?? ''
  const direction = Array.from(word, (letter) => letter.charCodeAt(0)).reduce((sum, code) => sum + code, 0) % 384
  return Array.from({ length: 384 }, (_, at) => (at === direction ? 1 : 0.001))
}

const model = createServer((request, reply) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const { input, ...body } = JSON.parse(Buffer.concat(parts).toString()) as { input: string[]; model: string }
    asked.push({ authorization: request.headers.authorization, ...body })
    reply.statusCode = status
    reply.end(JSON.stringify({ data: input.map((text, index) => ({ index, embedding: vectorOf(text) })) }))
  })
})

beforeAll(async () => {
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve))
  const { port } = model.address() as AddressInfo
  server = await startServer({
    vars: {
      LIMITS_FACTOR: '100',
      EMBEDDINGS_URL: `http://127.0.0.1:${port}/v1/embeddings`,
      EMBEDDINGS_MODEL: 'all-minilm',
      EMBEDDINGS_KEY: 'sk-embed',
    },
  })
  user = await signedUp(server.url)
})
afterAll(async () => {
  await server?.stop()
  model.closeAllConnections()
  model.close()
})

test('EMBEDDINGS_URL as docs/embeddings.md shows it: the dimension is learnt from two answers', async () => {
  const stored = await user.post('/api/memory/store', { content: 'Kettles boil water.', wait_ms: 10_000 })
  expect(stored).toMatchObject({ embedding_status: 'completed', embedding_model: 'openai/all-minilm' })
  await user.post('/api/memory/store', { content: 'Trains run late.', wait_ms: 10_000 })
  const found = await user.post('/api/memory/search', { query: 'kettles', mode: 'semantic' })
  expect(found.results[0]).toMatchObject({ id: stored.id, similarity: expect.closeTo(1, 2) })
  const ready = (await (await fetch(`${server.url}/ready`)).json()) as { embedder: unknown }
  expect(ready.embedder).toEqual({ model: 'openai/all-minilm', dimension: 384, fault: null })
  expect(asked[0]).toEqual({ authorization: 'Bearer sk-embed', model: 'all-minilm', encoding_format: 'float' })
  expect(server.log()).not.toContain('sk-embed')
})

test('where the service lacks the model, the item and the log say what it answered, and search goes by keyword', async () => {
  status = 404
  const { id } = await user.post('/api/memory/store', { content: 'Water is wet.' })
  const told = 'The embedding model openai/all-minilm answered with status 404.'
  await until(async () => {
    const item = await fetch(`${server.url}/v1/memory/items/${id}`, { headers: user.headers })
    expect(await item.json()).toMatchObject({ embedding_status: 'pending', embedding_error: told })
  })
  const found = await user.post('/api/memory/search', { query: 'boil' })
  expect(found).toMatchObject({ degraded: 'semantic_unavailable', results: [{ snippet: 'Kettles boil water.' }] })
  expect(server.log()).toContain(told)
})
