import { join } from 'node:path'
import { unstable_readConfig } from 'wrangler'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../../tools/wrangler.ts'
import { SAMPLE_QUESTION, SAMPLE_TEXT } from '../../src/core/sample.ts'
import { until } from '../support/until.ts'
import { startReceiver } from './support/receiver.ts'
import { startServer, type Server } from './support/server.ts'
import { ourSpans, type TailEvent } from './support/tail.ts'

const METRICS_TOKEN = 'a-token-of-an-operator-for-scrapes'
const PASSWORD = 'a password that no line may hold'
const TAG = 'a-tag-of-a-client'

let server: Server
let hook: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  hook = await startReceiver()
  server = await startServer({
    traced: true,
    vars: { LIMITS_FACTOR: '100', LOG_REQUESTS: 'true', METRICS_TOKEN },
  })
})
afterAll(async () => {
  hook.stop()
  await server.stop()
})

type Json = Record<string, any>

async function send(method: string, path: string, headers: Record<string, string>, body?: object): Promise<Json> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { ...headers, ...(body ? { 'Content-Type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`)
  return response.status === 204 ? {} : ((await response.json()) as Json)
}

/** A WebSocket with the token in its URL, as browsers send it. */
const listen = (token: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/realtime?channels=memory&token=${token}`)
    socket.addEventListener('message', () => socket.close())
    socket.addEventListener('close', () => resolve())
    socket.addEventListener('error', () => reject(new Error('no socket')))
  })

test('security 82: our spans and all log lines hold no token, text or query; the spans of the platform do', async () => {
  const signedUp = await fetch(`${server.url}/auth/register-user`, {
    method: 'POST',
    body: new URLSearchParams({ email: 'traced@example.com', password: PASSWORD, name: 'Traced' }),
  })
  const { session_token: session } = (await signedUp.json()) as { session_token: string }
  const made = await send(
    'POST',
    '/v1/api-keys',
    { 'X-Session-Token': session },
    { name: 'traced', scopes: ['read:memory', 'write:memory', 'read:events', 'write:events'] },
  )
  const key: string = made['key']
  const as = { 'X-API-Key': key }
  const subscription = await send('POST', '/api/events/subscriptions', as, {
    channels: ['memory'],
    events: ['memory.embedding_complete'],
    delivery: { method: 'webhook', url: hook.url },
  })
  const stored = await send('POST', '/api/memory/store', as, { content: SAMPLE_TEXT, tags: [TAG], wait_ms: 5_000 })
  expect(stored['embedding_status']).toBe('completed')
  const found = await send('POST', '/api/memory/search', as, { query: SAMPLE_QUESTION })
  expect(found['results'][0].id).toBe(stored['id'])
  await send('GET', `/v1/memory/items?q=${encodeURIComponent('peanuts')}&tags=${TAG}`, as)
  await listen(key)
  await fetch(`${server.url}/v1/projects/prj_none?token=${key}`, { headers: as })
  await until(() => expect(hook.received).toHaveLength(1))
  const lastRoute = '/v1/projects/:id'
  const names = ['deliver', 'embed', 'hub', 'keyword', 'vectors']
  const spans = await until(() => {
    const all = ourSpans(server.tailed())
    expect([...new Set(all.map(({ name }) => name))].sort()).toEqual(names)
    // The spans of a request arrive some time after its answer.
    expect(all.map(({ attributes }) => attributes)).toContainEqual(expect.objectContaining({ route: lastRoute }))
    return all
  })

  // They say whose part of which request they are.
  const of = (name: string) => spans.filter((span) => span.name === name).map(({ attributes }) => attributes)
  const route = '/api/memory/search'
  for (const name of ['hub', 'keyword', 'vectors', 'embed'])
    expect(of(name)).toContainEqual({ route, request_id: expect.stringMatching(/^req_/) })
  expect(of('hub')).toContainEqual(expect.objectContaining({ route: lastRoute }))
  const { subscription_id } = subscription
  expect(of('deliver')).toEqual([{ delivery_id: expect.stringMatching(/^dlv_/), subscription_id }])
  const allowed = new Set(['route', 'request_id', 'delivery_id', 'subscription_id'])
  for (const { attributes } of spans) for (const name of Object.keys(attributes)) expect(allowed).toContain(name)

  const secrets = [
    key,
    session,
    PASSWORD,
    METRICS_TOKEN,
    SAMPLE_TEXT,
    SAMPLE_QUESTION,
    'peanuts',
    'sick',
    TAG,
    hook.url,
  ]
  const said = JSON.stringify(spans) + server.log()
  expect(said).toContain('"event":"request"')
  expect(secrets.filter((secret) => said.includes(secret))).toEqual([])
  // Why traces are off: the platform's own spans keep what is in a URL.
  const platform = JSON.stringify(server.tailed().filter((event: TailEvent) => event.type === 'onset'))
  expect(platform).toContain(`token=${key}`)
})

test.each([undefined, 'local'])('security 82: traces and invocation logs are off in wrangler.toml: %s', (env) => {
  const { observability } = unstable_readConfig({ config: join(ROOT, 'wrangler.toml'), env })
  expect([observability?.traces?.enabled ?? false, observability?.logs?.invocation_logs ?? false]).toEqual([
    false,
    false,
  ])
})
