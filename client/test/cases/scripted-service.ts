import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How the service answers a request. The last step stands for all requests that follow. */
export interface Step {
  status?: number
  headers?: Record<string, string>
  json?: unknown
  /** A body that is no JSON, or no more of it. */
  text?: string
  /** The connection breaks off: before the response, or after its text. */
  drop?: true
  /** No response comes. */
  silent?: true
}

export interface Sent {
  method: string
  /** With its query. */
  path: string
  headers: Record<string, string>
  body: unknown
}

/** A service that follows a script for each address that it gives out, and keeps what was sent there. */
export class ScriptedService {
  readonly #scripts = new Map<string, { steps: Step[]; sent: Sent[] }>()
  readonly #server = createServer((request, response) => void this.#serve(request, response))

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** An address of its own for these steps. */
  script(steps: Step[]): { baseUrl: string; sent: Sent[] } {
    const name = `/${this.#scripts.size}`
    const sent: Sent[] = []
    this.#scripts.set(name, { steps, sent })
    return { baseUrl: `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${name}`, sent }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, name = '', path = ''] = /^(\/\d+)(.*)$/.exec(request.url ?? '') ?? []
    const script = this.#scripts.get(name)
    if (!script) return void response.writeHead(500).end()
    const text = Buffer.concat(await request.toArray()).toString()
    const headers = request.headers as Record<string, string>
    script.sent.push({ method: request.method ?? '', path, headers, body: bodyOf(text, headers['content-type']) })
    answer(response, script.steps[Math.min(script.sent.length, script.steps.length) - 1] ?? {})
  }
}

const bodyOf = (text: string, type: string | undefined): unknown => {
  if (text === '') return null
  if (type === 'application/json') return JSON.parse(text)
  return type === 'application/x-ndjson' ? text.split('\n').map((line) => JSON.parse(line)) : text
}

function answer(response: ServerResponse, { status = 200, headers = {}, json, text, drop, silent }: Step): void {
  if (silent) return
  if (drop && text === undefined) return void response.destroy()
  const type = json === undefined ? {} : { 'Content-Type': 'application/json' }
  response.writeHead(status, { ...type, ...headers })
  if (drop) return void response.write(text, () => response.destroy())
  response.end(json === undefined ? text : JSON.stringify(json))
}
