import { WebSocket } from 'ws'
import type { Cast } from './example-cast.ts'
import type { Operation, Parameter } from './openapi.ts'

const exampleOf = ({ example, schema }: Parameter): unknown => example ?? schema.example

/** The example of a request: its parameters and its body. A required part without an example is a fault. */
export function requestOf({ parameters = [], requestBody }: Operation) {
  const unshown = parameters.filter((one) => one.required && exampleOf(one) === undefined)
  if (unshown.length > 0) throw new Error(`no example of ${unshown.map(({ name }) => name).join(', ')}`)
  const [[type, content] = []] = Object.entries(requestBody?.content ?? {})
  if (content && content.example === undefined) throw new Error('no example of the body')
  const valuesIn = (place: Parameter['in']) =>
    parameters
      .filter((one) => one.in === place && exampleOf(one) !== undefined)
      .map((one): [string, string] => [one.name, String(exampleOf(one))])
  return { path: valuesIn('path'), query: valuesIn('query'), type, body: content?.example }
}

function encoded(type: string, body: unknown): string {
  if (type === 'application/json') return JSON.stringify(body)
  return typeof body === 'string' ? body : new URLSearchParams(body as Record<string, string>).toString()
}

function addressOf(base: string, operation: Operation, cast: Cast): string {
  const { path, query } = cast.play(requestOf(operation))
  const values = Object.fromEntries(path)
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  return `${base}${filled}${query.length === 0 ? '' : `?${new URLSearchParams(query).toString()}`}`
}

type Headers = Record<string, string>

/** Sends the example of an operation, with what the cast has learnt in the places of its ids. */
export async function sendExample(base: string, operation: Operation, cast: Cast, headers: Headers): Promise<Response> {
  const { type, body } = cast.play(requestOf(operation))
  return fetch(addressOf(base, operation, cast), {
    method: operation.method.toUpperCase(),
    redirect: 'manual',
    headers: { ...headers, ...(type === undefined ? {} : { 'Content-Type': type }) },
    body: type === undefined ? null : encoded(type, body),
  })
}

/** The status of an upgrade, which `fetch` cannot send. */
export async function upgradeExample(
  base: string,
  operation: Operation,
  cast: Cast,
  headers: Headers,
): Promise<number> {
  const socket = new WebSocket(addressOf(base, operation, cast), { headers })
  return new Promise((resolve, reject) => {
    socket.once('upgrade', ({ statusCode = 0 }) => resolve(statusCode))
    socket.once('open', () => socket.close())
    socket.once('error', reject)
  })
}
