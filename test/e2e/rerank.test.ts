import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type Server } from './support/server.ts'
import { signedUp } from './support/signed-up.ts'

type Results = { index: number; relevance_score: number | null }[]

let server: Server
let post: Awaited<ReturnType<typeof signedUp>>['post']
/** What the reranker answers, of how many texts; null: nothing, ever. */
let answer: (documents: string[]) => Results | null
const asked: unknown[] = []

const reranker = createServer((request, reply) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(parts).toString()) as { documents: string[] }
    asked.push({ authorization: request.headers.authorization, ...body })
    const results = answer(body.documents)
    if (results) reply.end(JSON.stringify({ results }))
  })
})

beforeAll(async () => {
  await new Promise<void>((resolve) => reranker.listen(0, '127.0.0.1', resolve))
  const { port } = reranker.address() as AddressInfo
  const RERANK_URL = `http://127.0.0.1:${port}/v1/rerank`
  server = await startServer({
    vars: { LIMITS_FACTOR: '100', RERANK_URL, RERANK_MODEL: 'test-model', RERANK_KEY: 'sk-rerank' },
  })
  ;({ post } = await signedUp(server.url))
  for (const content of ['kettle one', 'kettle two', 'kettle six']) await post('/api/memory/store', { content })
})
afterAll(async () => {
  await server?.stop()
  reranker.closeAllConnections()
  reranker.close()
})

const search = (rerank: boolean) => post('/api/memory/search', { query: 'kettle', mode: 'keyword', rerank })

const textsOf = ({ results }: { results: { content: { text: string } }[] }): string[] =>
  results.map(({ content }) => content.text)

test('RERANK_URL orders a search; one that lies, fails or hangs leaves it as it is', async () => {
  const plain = textsOf(await search(false))
  answer = (documents) => documents.map((_, index) => ({ index, relevance_score: index })).reverse()
  const reranked = await search(true)
  expect(textsOf(reranked)).toEqual(plain.toReversed())
  expect(reranked.rerank).toEqual({ applied: true })
  const authorization = 'Bearer sk-rerank'
  expect(asked).toEqual([{ authorization, model: 'test-model', query: 'kettle', documents: plain, top_n: 3 }])
  for (const [lie, reason] of [
    [() => [{ index: 0, relevance_score: 1 }], 'unusable'],
    [(all: string[]) => all.map((_, index) => ({ index, relevance_score: null })), 'unusable'],
    // A hang comes last: after it the reranker is left alone.
    [() => null, 'late'],
    [() => null, 'unavailable'],
  ] as const) {
    answer = lie
    const reply = await search(true)
    expect(reply.rerank).toEqual({ applied: false, reason })
    expect(textsOf(reply)).toEqual(plain)
  }
  expect(asked).toHaveLength(4)
  expect(server.log()).not.toContain('sk-rerank')
})
