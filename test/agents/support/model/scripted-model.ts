import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chatCompletion } from './chat-completions.ts'
import { generateContent } from './generate-content.ts'
import { messages } from './messages.ts'
import { responses } from './responses.ts'

/** One request for an answer. */
export interface Asked {
  path: string
  body: string
}

/** What a model says to a request: the events of a stream, or one JSON body. */
export interface Said {
  json: unknown
  /** Each with its name, where the API gives it one. */
  events: readonly { name?: string; data: unknown }[]
  /** The last line of a stream; null: it ends without one. */
  end: string | null
}

/** The APIs by the end of their paths. */
const APIS: readonly { path: RegExp; say: (text: string) => Said }[] = [
  { path: /\/messages$/, say: messages },
  { path: /\/responses$/, say: responses },
  { path: /\/chat\/completions$/, say: chatCompletion },
  { path: /:(?:stream)?generateContent$/i, say: generateContent },
]

/** A model on loopback that follows a script, by four APIs, and keeps what it was asked. */
export async function startModel(script: string | ((body: string) => string)) {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    void request.toArray().then((parts) => reply(request, response, Buffer.concat(parts as Buffer[]).toString()))
  })
  const reply = (request: IncomingMessage, response: ServerResponse, body: string) => {
    const { pathname } = new URL(request.url ?? '', 'http://model')
    const api = request.method === 'POST' ? APIS.find(({ path }) => path.test(pathname)) : undefined
    if (!api) return answer(response, ...other(pathname))
    asked.push({ path: pathname, body })
    const text = typeof script === 'string' ? script : script(body)
    const isStream = pathname.endsWith(':streamGenerateContent') || /"stream":\s*true/.test(body)
    if (isStream) stream(response, api.say(text))
    else answer(response, 200, api.say(text).json)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Programs ask for models and count tokens before they ask for an answer. */
function other(pathname: string): [status: number, json: unknown] {
  if (pathname.endsWith('/models')) return [200, { object: 'list', data: [{ id: 'scripted', object: 'model' }] }]
  if (pathname.endsWith('count_tokens')) return [200, { input_tokens: 1 }]
  if (pathname.endsWith(':countTokens')) return [200, { totalTokens: 1 }]
  return [404, { error: { message: 'Not here.' } }]
}

function answer(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify(json))
}

/** Server-sent events. */
function stream(response: ServerResponse, { events, end }: Said): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  for (const { name, data } of events)
    response.write(`${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`)
  response.end(end === null ? '' : `data: ${end}\n\n`)
}
