import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Arbitraries } from './support/arbitrary.ts'
import { documentOf, type Document, type Operation, type Parameter } from './support/openapi.ts'
import { newKeyRing } from '../../tools/secrets.ts'
import { startServer, type Server } from './support/server.ts'

/** Requests that the document takes, made from its schemas. `FC_SEED` and `FC_PATH` replay one that failed. */

const RUNS = Number(process.env['FC_RUNS'] ?? 6)
const SEED = process.env['FC_SEED'] === undefined ? 20_261_122 : Number(process.env['FC_SEED'])

const OPERATOR_KEY = newKeyRing().replace('k1:', '')

let server: Server
let document: Document
/** Existing identifiers by prefix. */
const ids = new Map<string, string[]>()
let session = ''

beforeAll(async () => {
  const vars = { LIMITS_FACTOR: '100000', OPERATOR_KEYS: `k1:${OPERATOR_KEY}` }
  server = await startServer({ vars, outbound: () => ({ status: 204, body: '' }) })
  document = await documentOf(server)
  session = await newSession()
  await furnish()
})
afterAll(() => server.stop())

let accounts = 0
async function newSession(): Promise<string> {
  const email = `requests-${(accounts += 1)}@example.com`
  const answer = await fetch(`${server.url}/auth/register-user`, {
    method: 'POST',
    body: new URLSearchParams({ email, password: 'a password for requests', name: 'Requests' }),
  })
  return ((await answer.json()) as { session_token: string }).session_token
}

const post = (path: string, body: object): Promise<string> => sent('POST', path, JSON.stringify(body))

async function sent(method: string, path: string, body: string | null = null): Promise<string> {
  const headers = { 'X-Session-Token': session, ...(body === null ? {} : { 'Content-Type': 'application/json' }) }
  const answer = await fetch(server.url + path, { method, headers, body })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${text}`)
  for (const [id, prefix = ''] of text.matchAll(/\b([a-z]{3})_[0-9A-HJKMNP-TV-Z]{26}\b/g))
    ids.set(prefix, [...new Set([...(ids.get(prefix) ?? []), id])].slice(0, 6))
  return text
}

/** One of each, so that an operation also meets what exists. */
async function furnish(): Promise<void> {
  await sent('GET', '/v1/workspaces')
  await sent('GET', '/v1/projects')
  await sent('GET', '/v1/sessions')
  await post('/api/memory/store', { content: 'Ada is allergic to peanuts.', tags: ['ada'], custom_id: 'allergy' })
  await post('/v1/api-keys', { name: 'requests', scopes: ['read:memory'] })
  await post('/v1/apps', {
    name: 'App',
    type: 'public',
    redirect_uris: ['https://example.com/back'],
    scopes: ['read:memory'],
  })
  const delivery = { method: 'webhook', url: 'http://127.0.0.1:9/hook' }
  await post('/api/events/subscriptions', { channels: ['memory'], delivery })
}

const PREFIX_OF: Record<string, string> = {
  project_id: 'prj',
  workspace_id: 'wsp',
  user_id: 'usr',
  owner_id: 'usr',
  subscription_id: 'sub',
  invitation_id: 'inv',
  actor: 'usr',
  subject: 'usr',
}
const PREFIX_AT: [string, string][] = [
  ['/v1/memory/', 'mem'],
  ['/api/memory/', 'mem'],
  ['projects', 'prj'],
  ['subscriptions', 'sub'],
  ['deliveries', 'dlv'],
  ['/v1/workspaces', 'wsp'],
  ['/v1/api-keys', 'key'],
  ['/v1/apps', 'app'],
  ['/v1/grants', 'grt'],
  ['/v1/sessions', 'ses'],
  ['/v1/invitations', 'inv'],
  ['/v1/erasures', 'ers'],
]

const knownIn = (path: string) => (field: string) => {
  const prefix = field === 'id' ? PREFIX_AT.find(([part]) => path.includes(part))?.[1] : PREFIX_OF[field]
  return ids.get(prefix ?? '') ?? []
}

/** What ends the caller, so that each request has a caller of its own. */
const ENDS_CALLER = /^(delete \/v1\/(sessions|users\/me)|post \/(auth\/logout|v1\/users\/me\/password))/
const rank = ({ method }: Operation): number => (method === 'delete' ? 1 : 0)
/** An upgrade; fetch cannot send one. */
const isSocket = ({ responses }: Operation): boolean => '101' in responses

interface Made {
  path: string
  query: [string, string][]
  headers: Record<string, string>
  body: string | null
  type: string | null
}

function requestsTo(operation: Operation): fc.Arbitrary<Made> {
  const arbitraries = new Arbitraries(document.schemas, knownIn(operation.path))
  const valueOf = ({ schema, name }: Parameter) => arbitraries.of(schema, name)
  const recordOf = (place: Parameter['in']) => {
    const parameters = (operation.parameters ?? []).filter((one) => one.in === place)
    const requiredKeys = parameters.filter(({ required }) => required).map(({ name }) => name)
    return fc.record(Object.fromEntries(parameters.map((one) => [one.name, valueOf(one)])), { requiredKeys })
  }
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const body = content ? arbitraries.of(content.schema) : fc.constant(null)
  return fc
    .record({ path: recordOf('path'), query: recordOf('query'), header: recordOf('header'), body })
    .map((made) => ({
      path: operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(made.path[name]))),
      query: Object.entries(made.query).flatMap(([name, value]) =>
        (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, String(one)]),
      ),
      headers: Object.fromEntries(
        // A header cannot carry more than ASCII.
        Object.entries(made.header).map(([name, value]) => [
          name,
          encodeURIComponent(String(value)).slice(0, 200) || 'x',
        ]),
      ),
      body: type === undefined ? null : encoded(type, made.body),
      type: type ?? null,
    }))
}

function encoded(type: string, value: unknown): string {
  if (type === 'application/json') return JSON.stringify(value)
  if (type === 'application/x-ndjson') return typeof value === 'string' ? value : `${JSON.stringify(value)}\n`
  const fields = Object.entries(value as Record<string, unknown>).flatMap(([name, one]) =>
    (Array.isArray(one) ? one : [one]).map((each): [string, string] => [name, String(each)]),
  )
  return new URLSearchParams(fields).toString()
}

async function answerTo(operation: Operation, { path, query, headers, body, type }: Made): Promise<Response> {
  const own = ENDS_CALLER.test(operation.name) ? await newSession() : session
  const credential: Record<string, string> = operation.security.some((one) => 'session' in one)
    ? { 'X-Session-Token': own }
    : operation.security.some((one) => 'operator' in one)
      ? { Authorization: `Bearer ${OPERATOR_KEY}` }
      : {}
  const search = query.length === 0 ? '' : `?${new URLSearchParams(query).toString()}`
  return fetch(server.url + path + search, {
    method: operation.method.toUpperCase(),
    redirect: 'manual',
    headers: { ...headers, ...credential, ...(type === null ? {} : { 'Content-Type': type }) },
    body,
  })
}

/** Why an answer is none that the document promises; null where it is. */
async function faultOf(operation: Operation, answer: Response): Promise<string | null> {
  const text = await answer.text()
  const told = operation.responses[String(answer.status)]
  if (!told) return `${answer.status} is not documented: ${text}`
  if (answer.status >= 500 && operation.path !== '/ready') return `${answer.status}: ${text}`
  const type = answer.headers.get('content-type')?.split(';')[0] ?? ''
  const content = told.content?.[type]
  if (text !== '' && !content) return `${answer.status} as ${type} is not documented: ${text.slice(0, 200)}`
  if (content && type.endsWith('json') && !type.endsWith('ndjson')) {
    const fault = document.fault(content.schema, JSON.parse(text))
    if (fault !== null) return `${answer.status} is not of its schema: ${fault}: ${text.slice(0, 500)}`
  }
  if (answer.status !== 422) return null
  const body = JSON.parse(text) as { errors?: { code: string }[]; results?: object[] }
  const errors = body.errors ?? (body.results ? [{ code: 'operation_failed' }] : [])
  const unexplained = errors.filter(({ code }) => operation['x-refusals']?.[code] === undefined)
  return unexplained.length === 0 && errors.length > 0 ? null : `422 without a reason in the document: ${text}`
}

test('a request that the document takes is answered as it says, and not refused without a reason', async () => {
  const faults: string[] = []
  let requests = 0
  // What deletes comes last, so that the others meet what exists.
  const inOrder = document.operations.filter((one) => !isSocket(one)).toSorted((a, b) => rank(a) - rank(b))
  for (const operation of inOrder) {
    const outcome = await fc.check(
      fc.asyncProperty(requestsTo(operation), async (made) => {
        requests += 1
        const fault = await faultOf(operation, await answerTo(operation, made))
        if (fault !== null) throw new Error(`${JSON.stringify(made).slice(0, 600)}\n    ${fault.slice(0, 700)}`)
      }),
      {
        numRuns: RUNS,
        seed: SEED,
        ...(process.env['FC_PATH'] === undefined ? {} : { path: process.env['FC_PATH'] }),
        endOnFailure: process.env['FC_PATH'] === undefined,
      },
    )
    if (outcome.failed && outcome.errorInstance instanceof Error)
      faults.push(
        `${operation.name} (FC_SEED=${outcome.seed} FC_PATH=${outcome.counterexamplePath}):\n    ${outcome.errorInstance.message}`,
      )
  }
  console.log(`${requests} requests`)
  expect(faults.join('\n'), `${requests} requests`).toBe('')
}, 300_000)
