import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MAX_NAMESPACES } from '../../src/memory/filter/read-context.ts'

const NAMESPACES = Array.from({ length: MAX_NAMESPACES }, (_, at) => `options:${at}`)
const CONVERSATION = 'long'
const DAY_MS = 86_400_000

/** An item of one conversation in each of 16 namespaces; each happened on a day of its own. */
export const optionItem = (at: number, content: string): Record<string, unknown> => ({
  op: 'store',
  content,
  occurred_at: new Date(Date.UTC(2000, 0, 1) + at * DAY_MS).toISOString(),
  context: { namespace: NAMESPACES[at % NAMESPACES.length], conversation_id: CONVERSATION },
})

const ONE = { namespace: NAMESPACES[0] }
const ALL = { namespaces: NAMESPACES }
const PREFIX = 'options'

/** Each option of a search at its bound, against the same search without it. */
export const SEARCH_OPTIONS: Record<string, { usual: object; worst: object }> = {
  '16 namespaces': { usual: { context: ONE }, worst: { context: ALL } },
  'prefix of 16 namespaces': { usual: { context: ALL }, worst: { context: { namespace_prefix: PREFIX } } },
  'namespaces and conversation': {
    usual: { context: { ...ONE, conversation_id: CONVERSATION } },
    worst: { context: { ...ALL, conversation_id: CONVERSATION } },
  },
  max_tokens: { usual: { context: ALL }, worst: { context: ALL, max_tokens: 100_000 } },
  rerank: { usual: { context: ALL }, worst: { context: ALL, rerank: true } },
  neighbors: { usual: { context: ALL }, worst: { context: ALL, neighbors: 5 } },
  recency: { usual: { context: ALL }, worst: { context: ALL, recency: { half_life_days: 30, weight: 0.5 } } },
  'all options': {
    usual: { context: ONE },
    worst: {
      context: { ...ALL, conversation_id: CONVERSATION },
      neighbors: 5,
      recency: { half_life_days: 30, weight: 0.5 },
      rerank: true,
      max_tokens: 100_000,
      include: ['score_breakdown'],
    },
  },
  'range of occurred_at': {
    usual: { context: ALL },
    worst: { context: ALL, filters: { occurred_at: { '>=': '0001-01-01T00:00:00Z', '<': '9999-12-31T23:59:59Z' } } },
  },
}

const listOf = (...pairs: [string, string][]): string =>
  `/v1/memory/items?${new URLSearchParams([['limit', '100'], ...pairs]).toString()}`
const all = NAMESPACES.map((name): [string, string] => ['namespaces', name])

/** Each option of a list at its bound, against the same list without it. */
export const LIST_OPTIONS: Record<string, { usual: string; worst: string }> = {
  '16 namespaces': { usual: listOf(['namespace', NAMESPACES[0] ?? '']), worst: listOf(...all) },
  'prefix of 16 namespaces': { usual: listOf(...all), worst: listOf(['namespace_prefix', PREFIX]) },
  'sort by occurred_at': { usual: listOf(...all), worst: listOf(...all, ['sort', '-occurred_at']) },
  'range of occurred_at': {
    usual: listOf(...all),
    worst: listOf(...all, ['occurred_after', '2000-01-01T00:00:00Z'], ['occurred_before', '2000-01-02T00:00:00Z']),
  },
}

/** A reranker on this machine that answers at once, so that the time is that of our part of the call. */
export async function startReranker(): Promise<{ url: string; stop(): void }> {
  const server = createServer((request, reply) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { documents } = JSON.parse(Buffer.concat(parts).toString()) as { documents: string[] }
      const results = documents.map((text, index) => ({ index, relevance_score: text.length }))
      reply.setHeader('Content-Type', 'application/json').end(JSON.stringify({ results }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}/rerank`, stop }
}
