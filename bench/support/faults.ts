import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const DIMENSION = 64
const HANG_MS = 20_000

/** A server of this machine that fails while `faulty` is set. */
export interface FaultyServer {
  url: string
  faulty: boolean
  /** Requests so far, and those that failed on purpose. */
  counts: { requests: number; faults: number }
  stop(): void
}

type Handler = (body: string, reply: ServerResponse, request: IncomingMessage, fault: number | null) => void

/** `faultOf` names the kind of fault of each request in turn; null: none. */
async function serve(path: string, faultOf: (nth: number) => number | null, handle: Handler): Promise<FaultyServer> {
  const counts = { requests: 0, faults: 0 }
  const server = createServer((request, reply) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const fault = self.faulty ? faultOf((counts.requests += 1)) : null
      if (fault !== null) counts.faults += 1
      handle(body, reply, request, fault)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const self: FaultyServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    faulty: true,
    counts,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return self
}

/** An embedding model. For spans of 40 requests in each 200 it fails in one of five ways. */
export function startModel(): Promise<FaultyServer & { dimension: number }> {
  const faultOf = (nth: number) => (nth % 200 < 160 ? null : Math.floor(nth / 200) % 5)
  const model = serve('/v1/embeddings', faultOf, (body, reply, _, fault) => {
    if (fault === 0) return reply.writeHead(500).end()
    if (fault === 1) return reply.writeHead(429, { 'Retry-After': '1' }).end()
    if (fault === 2) return setTimeout(() => reply.destroy(), HANG_MS)
    const { input } = JSON.parse(body) as { input: string[] }
    const width = fault === 3 ? DIMENSION + 1 : DIMENSION
    const vector = (text: string) => (fault === 4 ? Array.from({ length: width }, () => 0) : vectorOf(text, width))
    reply.setHeader('Content-Type', 'application/json')
    return reply.end(JSON.stringify({ data: input.map((text, index) => ({ index, embedding: vector(text) })) }))
  })
  return model.then((server) => Object.assign(server, { dimension: DIMENSION }))
}

function vectorOf(text: string, width: number): number[] {
  const vector = Array.from({ length: width }, () => 0.01)
  for (const word of text.toLowerCase().split(/\W+/)) {
    let hash = 0
    for (const character of word) hash = (hash * 31 + character.charCodeAt(0)) >>> 0
    const at = hash % width
    vector[at] = (vector[at] ?? 0) + 1
  }
  return vector
}

/** A webhook receiver: of ten requests one is answered 503, one hangs, one loses its connection. */
export async function startFaultyReceiver(
  received: (event: ReceivedEvent, delivery: string) => void,
): Promise<FaultyServer> {
  const faultOf = (nth: number) => (nth % 10 < 3 ? nth % 10 : null)
  return serve('/hook', faultOf, (body, reply, request, fault) => {
    if (fault === 0) return reply.writeHead(503).end()
    if (fault === 1) return setTimeout(() => reply.destroy(), HANG_MS)
    if (fault === 2) return reply.destroy()
    const { events } = JSON.parse(body) as { events: ReceivedEvent[] }
    for (const event of events) received(event, String(request.headers['webhook-id']))
    return reply.end()
  })
}

export interface ReceivedEvent {
  id: string
  type: string
  data: { memory_id?: string }
}
