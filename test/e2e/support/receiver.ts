import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  headers: Record<string, string>
  body: string
  status: number
}

interface Answers {
  reply?: string
  /** Of the first requests. */
  statuses?: number[]
  /** Of a request whose body it does not like. */
  statusOf?: (body: string) => number | undefined
}

/** A webhook receiver that records its requests with the status that it gave, and answers `reply`, with 200 after `statuses`. */
export async function startReceiver({ reply = 'thanks', statuses = [], statusOf }: Answers = {}): Promise<{
  url: string
  received: Received[]
  stop: () => void
}> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const status = statusOf?.(body) ?? statuses.shift() ?? 200
      received.push({ headers: request.headers as Record<string, string>, body, status })
      response.writeHead(status).end(reply)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hook`, received, stop: () => server.close() }
}
