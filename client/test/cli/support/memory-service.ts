import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** How the service answers a path: with a status and a body, or not at all. */
type Answer = { status?: number; json?: unknown; text?: string; location?: string } | 'silence'

export interface Asked {
  path: string
  headers: Record<string, string>
  body: Record<string, unknown>
}

export const RECALLED = 'Memories of this repository.\n<memories>\n- deploys go to Frankfurt\n</memories>'

/** A stand-in for the service, with the shapes of recall, ingest and the token endpoint. */
export async function startMemoryService() {
  const asked: Asked[] = []
  /** What happens before a path answers. */
  const before: Record<string, () => Promise<void>> = {}
  const answers: Record<string, Answer> = {
    '/v1/memory/recall': { json: { text: RECALLED, pending: 0 } },
    '/v1/memory/ingest': { json: { conversation_id: 'c', messages: [] } },
    '/auth/token': {
      json: {
        access_token: 'fresh',
        refresh_token: 'r-2',
        token_type: 'bearer',
        expires_in: 3_600,
        scope: 'read:memory',
      },
    },
  }
  const server = createServer((request, response) => {
    void request.toArray().then((parts) => reply(request, response, parts as Buffer[]))
  })
  const reply = async ({ url: path = '', headers }: IncomingMessage, response: ServerResponse, parts: Buffer[]) => {
    const text = Buffer.concat(parts).toString()
    const isJson = headers['content-type'] === 'application/json'
    const body = isJson ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text))
    asked.push({ path, headers: headers as Record<string, string>, body })
    await before[path]?.()
    send(response, answers[path] ?? { status: 404, json: { error: { code: 'not_found', message: 'No.' } } })
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(stop)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answers,
    before,
    stop,
    to: (path: string) => asked.filter((each) => each.path === path),
  }
}

function send(response: ServerResponse, answer: Answer): void {
  if (answer === 'silence') return
  const { status = 200, json, text = JSON.stringify(json), location } = answer
  response.writeHead(status, { 'Content-Type': 'application/json', ...(location === undefined ? {} : { location }) })
  response.end(text)
}
