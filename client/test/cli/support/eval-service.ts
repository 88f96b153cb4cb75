import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** An item that the service has. */
export interface Stored {
  id: string
  custom_id?: string
  namespace?: string
  retired_at?: string
}

export interface Searched {
  query: string
  mode: string
  limit: number
  context?: { namespace?: string }
  filters?: object
  rerank?: boolean
}

/** What a search answers: items by id, best first, or a refusal. */
export type SearchAnswer = { found: readonly string[]; degraded?: true; reranked?: boolean; pending?: number } | Refusal

interface Refusal {
  status: number
  code: string
  detail: string
  retryAfter?: number
}

/** A namespace that the service refuses. */
export const REFUSED = 'a b'
const BAD_NAMESPACE = { code: 'validation_failed', detail: 'namespace is malformed.' }

export const itemId = (n: number): string => `mem_${String(n).padStart(26, '0')}`

/** A service with items, whose searches answer what the test says. */
export async function evalService(stored: readonly Stored[], search: (asked: Searched, call: number) => SearchAnswer) {
  const searched: Searched[] = []
  const paths: string[] = []
  /** Lengths of the addresses. */
  const lengths: number[] = []
  const byId = new Map(stored.map((item) => [item.id, item]))
  const ofId = (id: string) => ({ custom_id: null, ...byId.get(id), id })

  function list(query: URLSearchParams) {
    const { custom_id } = JSON.parse(query.get('filters') ?? '') as { custom_id: { in: string[] } }
    const namespace = query.get('namespace') ?? 'default'
    const data = stored.filter(
      (item) =>
        custom_id.in.includes(item.custom_id ?? '') &&
        item.retired_at === undefined &&
        (namespace === '*' || (item.namespace ?? 'default') === namespace),
    )
    return { data: data.map(({ id }) => ofId(id)), has_more: false, next_cursor: null }
  }

  const retrieve = (operations: { id: string }[]) => ({
    results: operations.map(({ id }, index) =>
      byId.has(id)
        ? { index, op: 'retrieve', status: 'success', id, item: ofId(id) }
        : { index, op: 'retrieve', status: 'error', error: { status: 404, code: 'not_found', detail: 'No.' } },
    ),
  })

  function answerSearch(response: ServerResponse, asked: Searched): void {
    searched.push(asked)
    const answer = search(asked, searched.length)
    if ('status' in answer) return refuse(response, answer)
    const results = answer.found.map((id, at) => ({ ...ofId(id), score: 1 - at / 100, snippet: `The text of ${id}.` }))
    send(response, {
      results,
      mode: asked.mode,
      pending: answer.pending ?? 0,
      ...(answer.degraded ? { degraded: 'semantic_unavailable' } : {}),
      ...(answer.reranked === undefined ? {} : { rerank: { applied: answer.reranked } }),
    })
  }

  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://service.test')
      paths.push(pathname)
      lengths.push(request.url?.length ?? 0)
      if (searchParams.get('namespace') === REFUSED) return refuse(response, { status: 422, ...BAD_NAMESPACE })
      if (pathname === '/v1/memory/items') return send(response, list(searchParams))
      if (pathname === '/api/memory/batch') return send(response, retrieve(JSON.parse(body).operations))
      return answerSearch(response, JSON.parse(body) as Searched)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const env = { RECOLLECT_URL: `http://127.0.0.1:${port}`, RECOLLECT_API_KEY: 'rck_test_00x' }
  return { env, searched, paths, lengths }
}

function refuse(response: ServerResponse, { status, code, detail, retryAfter }: Refusal): void {
  const wait = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }
  response.writeHead(status, { 'Content-Type': 'application/problem+json', ...wait })
  response.end(JSON.stringify({ type: 'about:blank', title: detail, status, code, detail, request_id: 'r' }))
}

function send(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify(body))
}
