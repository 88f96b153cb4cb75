import { commandLine, quoted } from './shell.ts'
import { pythonLiteral, typeScriptLiteral } from './literals.ts'

/** A piece of code in one language. */
export interface Snippet {
  language: 'curl' | 'TypeScript' | 'Python'
  text: string
}

/** A request as the API takes it, and the call of both clients that sends it. */
export interface SampleRequest {
  /** By default POST with a body, and GET without one. */
  method?: 'PATCH'
  path: string
  /** `memory.search`. */
  call: string
  body?: Readonly<Record<string, unknown>>
}

/** The placeholder for an API key where none is at hand. */
export const ANY_KEY = 'rck_…'

/** A request in each language. */
export const requestSnippets = (origin: string, request: SampleRequest, key: string = ANY_KEY): Snippet[] => [
  { language: 'curl', text: curl(origin, request, key) },
  { language: 'TypeScript', text: typeScript(origin, request, key) },
  { language: 'Python', text: python(origin, request, key) },
]

const curl = (origin: string, { method, path, body }: SampleRequest, key: string): string =>
  commandLine(
    `curl ${method ? `-X ${method} ` : ''}${origin}${path}`,
    `-H ${quoted(`X-API-Key: ${key}`)}`,
    ...(body ? [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`] : []),
  )

const typeScript = (origin: string, { call, body }: SampleRequest, key: string): string =>
  `// To install it: ${origin}/client/versions.json
import { Recollect } from 'recollect'

const recollect = new Recollect({
  baseUrl: ${typeScriptLiteral(origin)},
  credential: { apiKey: ${typeScriptLiteral(key)} },
})
const answer = await recollect.${call}(${body ? typeScriptLiteral(body) : ''})
console.log(answer)`

const python = (origin: string, { call, body = {} }: SampleRequest, key: string): string => {
  const given = Object.entries(body).map(([name, value]) => `${name}=${pythonLiteral(value)}`)
  // A list that is not iterated over is asked for its first page.
  const page = call.endsWith('.list') ? '.first()' : ''
  return `# To install it: ${origin}/client/versions.json
from recollect import Recollect

client = Recollect(${pythonLiteral(origin)}, api_key=${pythonLiteral(key)})
answer = client.${call}(${given.join(', ')})${page}
print(answer)`
}
