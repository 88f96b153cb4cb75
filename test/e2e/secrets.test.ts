import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TokenPrefix } from '../../src/core/values/token-prefix.ts'
import { Agent } from './support/agent.ts'
import { newKeyRing } from '../../tools/secrets.ts'
import { startReceiver } from './support/receiver.ts'
import { startServer, type Server } from './support/server.ts'
import { until } from '../support/until.ts'

const CALLBACK = 'http://127.0.0.1:8976/callback'
const HEADER_SECRET = 'custom-header-of-a-webhook'
const PASSWORDS = ['another horse, another battery', 'a third horse, and no battery']
const VERIFIER = 'verifier-of-43-characters-or-more-0123456789'

const OPERATOR_KEY = newKeyRing().replace('k1:', '')

let state: string
let server: Server
let agent: Agent
let hook: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), 'recollect-secrets-'))
  hook = await startReceiver()
  server = await startServer({
    persistTo: state,
    vars: { LIMITS_FACTOR: '1000', LOG_REQUESTS: 'true', OPERATOR_KEYS: `k1:${OPERATOR_KEY}` },
  })
  agent = await Agent.signUp(server.url)
})
afterAll(async () => {
  hook.stop()
  await server.stop()
  await rm(state, { recursive: true, force: true })
})

type Json = Record<string, string>

async function send(method: string, path: string, init: RequestInit = {}): Promise<Json> {
  const response = await fetch(`${server.url}${path}`, { method, ...init })
  expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true)
  return response.status === 204 ? {} : ((await response.json()) as Json)
}

const asUser = (method: string, path: string, body: object = {}): Promise<Json> =>
  send(method, path, {
    headers: { 'X-Session-Token': agent.session, 'Content-Type': 'application/json' },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
  })

const form = (path: string, fields: Record<string, string>): Promise<Json> =>
  send('POST', path, { body: new URLSearchParams(fields) })

async function keys(): Promise<{ live: string; test: string }> {
  const make = (environment: string) =>
    asUser('POST', '/v1/api-keys', { name: environment, scopes: ['read:events', 'read:projects'], environment })
  const [live, test] = [await make('live'), await make('test')]
  const { key } = await asUser('POST', `/v1/api-keys/${live['id']}/rotate`)
  return { live: key ?? '', test: test['key'] ?? '' }
}

/** A grant from consent to refresh, with all its secrets. */
async function grant() {
  const { client_id, client_secret } = await agent.makeApp(CALLBACK, { scopes: ['read:events', 'read:projects'] })
  const rotated = (await asUser('POST', `/v1/apps/${client_id}/rotate-secret`))['client_secret'] ?? ''
  const registered = await send('POST', '/auth/register', {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [CALLBACK] }),
  })
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: CALLBACK,
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const back = await agent.approve(`${server.url}/auth/authorize?${asked.toString()}`)
  const code = back.searchParams.get('code') ?? ''
  const client = { client_id, client_secret: rotated }
  const first = await form('/auth/token', {
    ...client,
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
  })
  const refresh = { ...client, grant_type: 'refresh_token', refresh_token: first['refresh_token'] ?? '' }
  const [next, again] = [await form('/auth/token', refresh), await form('/auth/token', refresh)]
  for (const token of [again['access_token'] ?? '', next['refresh_token'] ?? ''])
    await form('/auth/introspect', { ...client, token })
  return {
    code,
    clientSecrets: [client_secret, rotated, registered['client_secret'] ?? ''],
    access: [first, next, again].map((answer) => answer['access_token'] ?? ''),
    refresh: [first, next].map((answer) => answer['refresh_token'] ?? ''),
  }
}

/** A guest accepts an invitation and sets a new password through a reset link. */
async function guest() {
  const [password = '', later = ''] = PASSWORDS
  const workspaces = (await asUser('GET', '/v1/workspaces')) as unknown as { data: { id: string }[] }
  const members = `/v1/workspaces/${workspaces.data[0]?.id}/members`
  const email = `guest-${crypto.randomUUID()}@example.com`
  const invited = await asUser('POST', members, { email, role: 'viewer' })
  const invitation = new URL(invited['invitation_url'] ?? '').searchParams.get('invitation') ?? ''
  const joined = await form('/auth/register-user', { email, password, name: 'Guest', invitation })
  const { id } = joined['user'] as unknown as { id: string }
  const link = await asUser('POST', `${members}/${id}/reset-link`)
  const reset = new URL(link['reset_url'] ?? '').searchParams.get('token') ?? ''
  const redeemed = await form('/auth/reset-password', { token: reset, password: later })
  const login = await form('/auth/login', { username: email, password: later })
  const both = (name: string) => [joined[name] ?? '', login[name] ?? '']
  const devices = [...both('device_token'), redeemed['device_token'] ?? '']
  return { invitation, reset, sessions: both('session_token'), devices }
}

/** Both signing secrets of a webhook with a delivery. */
async function webhook(): Promise<string[]> {
  const delivery = { method: 'webhook', url: hook.url, headers: { 'X-Hook': HEADER_SECRET } }
  const { subscription_id } = await asUser('POST', '/api/events/subscriptions', {
    channels: ['conversation'],
    events: [],
    delivery,
  })
  const path = `/v1/events/subscriptions/${subscription_id}`
  const { secret: first = '' } = await asUser('GET', `${path}/secret`)
  const { secret: second = '' } = await asUser('POST', `${path}/secret/rotate`)
  await asUser('POST', `${path}/test`)
  await until(() => expect(hook.received[0]?.headers['x-hook']).toBe(HEADER_SECRET))
  return [first, second]
}

/** A WebSocket with the token in its URL, as browsers send it. */
const listen = (token: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/realtime?channels=conversation&token=${token}`)
    socket.addEventListener('message', () => socket.close())
    socket.addEventListener('close', () => resolve())
    socket.addEventListener('error', () => reject(new Error('no socket')))
  })

/** Every byte that the service stores: databases, Durable Objects, their write-ahead logs. */
async function kept(): Promise<string> {
  const files = await readdir(state, { recursive: true, withFileTypes: true })
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), 'latin1'))
  return (await Promise.all(texts)).join('\n')
}

test('security 24: no secret of any kind is in a database, a Durable Object or a log line; hashes are', async () => {
  const [key, granted, requestContext, signing] = [await keys(), await grant(), await guest(), await webhook()]
  const tokens: Record<TokenPrefix, string[]> = {
    rck_live: [key.live],
    rck_test: [key.test],
    rca: granted.access,
    rcr: granted.refresh,
    rcs: [agent.session, ...requestContext.sessions],
    rcd: requestContext.devices,
    rcx: granted.clientSecrets,
    rcc: [granted.code],
    rci: [requestContext.invitation],
    rcp: [requestContext.reset],
  }
  for (const [prefix, issued] of Object.entries(tokens))
    for (const token of issued) expect(token).toMatch(new RegExp(`^${prefix}_[0-9a-z]{54}$`))
  for (const secret of signing) expect(secret).toMatch(/^whsec_.{32}$/)
  for (const token of [key.live, key.test, agent.session, ...granted.access.slice(-1)]) await listen(token)
  const operator = (key: string) =>
    fetch(`${server.url}/v1/operator/limits/deployment`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ limits: { write: 10 } }),
    })
  expect([(await operator(OPERATOR_KEY)).status, (await operator(`${OPERATOR_KEY.slice(1)}A`)).status]).toEqual([
    200, 401,
  ])
  // A mistyped password is a secret too.
  for (const token of Object.values(tokens).flat())
    await fetch(`${server.url}/v1/projects`, { headers: { 'X-API-Key': `${token}x` } })

  const everything = [
    ...Object.values(tokens).flat(),
    ...signing,
    ...PASSWORDS,
    agent.password,
    VERIFIER,
    HEADER_SECRET,
    OPERATOR_KEY,
    OPERATOR_KEY.slice(1),
  ]
  await until(() => expect(server.log()).toContain('"route":"/realtime"'))
  const bytes = await until(
    async () => {
      const now = await kept()
      expect(now).toContain('oauth.refresh_retry')
      return now
    },
    { everyMs: 200 },
  )
  const leaked = everything.filter((secret) => bytes.includes(secret) || server.log().includes(secret))
  expect(leaked).toEqual([])
  // The same search finds text that is stored, so the lines above prove something.
  for (const token of Object.values(tokens).flat())
    expect(bytes).toContain(createHash('sha256').update(token).digest('hex'))
})
