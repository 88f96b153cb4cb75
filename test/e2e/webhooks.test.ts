import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type Server } from './support/server.ts'
import { until } from '../support/until.ts'

interface Hit {
  path: string
  headers: Record<string, string>
  body: string
}

/** A receiver behind a real socket. The path decides how it responds. */
const hits: Hit[] = []
const receiver = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const path = request.url ?? ''
    hits.push({ path, headers: flat(request.headers), body: Buffer.concat(parts).toString() })
    answers[path]?.(response)
  })
})
let origin = ''
const flat = (headers: IncomingHttpHeaders) => headers as Record<string, string>
/** Bytes that `/huge` has handed to its socket. */
let flooded = 0

const answers: Record<string, (response: ServerResponse) => void> = {
  '/ok': (response) => response.end('thanks'),
  '/redirect': (response) => response.writeHead(302, { Location: `${origin}/ok-after-redirect` }).end(),
  '/hang-up': (response) => response.destroy(),
  '/huge': (response) => {
    response.writeHead(200, { 'Content-Length': String(1024 ** 3) })
    const chunk = Buffer.alloc(64 * 1024, 'x')
    const more = (): void => {
      do flooded += chunk.byteLength
      while (!response.destroyed && response.write(chunk))
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  },
}

let server: Server
let session = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  server = await startServer({ vars: { LIMITS_FACTOR: '1000' } })
  const signedUp = await fetch(`${server.url}/auth/register-user`, {
    method: 'POST',
    body: new URLSearchParams({ email: 'hooks@example.com', password: 'a password for webhooks', name: 'Hooks' }),
  })
  session = ((await signedUp.json()) as { session_token: string }).session_token
})
afterAll(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await server.stop()
})

async function api<T = Record<string, string>>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { 'X-Session-Token': session, 'Content-Type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true)
  return (await response.json()) as T
}

const subscribe = async (path: string, channel: string): Promise<string> => {
  const delivery = { method: 'webhook', url: origin + path, headers: { Authorization: 'Bearer for-the-receiver' } }
  const { subscription_id: id } = await api('POST', '/api/events/subscriptions', { channels: [channel], delivery })
  return id ?? ''
}
const publish = (channel: string) =>
  api('POST', '/api/events/publish', { type: 'order.shipped', channel, data: { note: 'héllo ✓ 😀' } })

async function deliveryOf(subscription: string) {
  const path = `/v1/events/subscriptions/${subscription}/deliveries`
  const { data } = await api<{ data: Record<string, unknown>[] }>('GET', path)
  return data[0]
}
const settled = (subscription: string, state: object) =>
  until(async () => expect(await deliveryOf(subscription)).toMatchObject(state), { everyMs: 100 })

test('a delivery over a real socket verifies by plain HMAC, standardwebhooks and svix', async () => {
  const id = await subscribe('/ok', 'plain')
  const { secret = '' } = await api('GET', `/v1/events/subscriptions/${id}/secret`)
  await publish('plain')
  await settled(id, { status: 'delivered', attempts: 1, last_status_code: 200 })
  const { headers, body } = hits.find((hit) => hit.path === '/ok') as Hit
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  expect(new StandardWebhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
  expect(() => new Svix(secret).verify(body, headers)).not.toThrow()
  expect(() => new StandardWebhook(secret).verify(body.replace('✓', '✗'), headers)).toThrow(/./)
  expect(headers).toMatchObject({ 'user-agent': 'Recollect-Webhook/1', authorization: 'Bearer for-the-receiver' })
})

test('a redirect is a failure, and no second request is made', async () => {
  const id = await subscribe('/redirect', 'moved')
  await publish('moved')
  await settled(id, { attempts: 1, last_status_code: 302, last_error: 'redirect' })
  expect(hits.filter((hit) => hit.path === '/ok-after-redirect')).toEqual([])
})

test('a receiver that hangs up is a failure that is tried again, with the same webhook-id', async () => {
  const id = await subscribe('/hang-up', 'cut')
  await publish('cut')
  await settled(id, { status: 'pending', attempts: 1, last_error: 'connection_failed' })
  // The first pause is 5 s ± 20 %, and this time the queue itself waits for it.
  await settled(id, { attempts: 2 })
  const ids = hits.filter((hit) => hit.path === '/hang-up').map((hit) => hit.headers['webhook-id'])
  expect(new Set(ids).size).toBe(1)
})

test('security 37: of an answer of 1 GB no more is read than is needed', async () => {
  const id = await subscribe('/huge', 'flood')
  await publish('flood')
  await settled(id, { status: 'delivered', attempts: 1 })
  // What was sent stands in buffers of sockets: some megabytes at most.
  expect(flooded).toBeGreaterThan(0)
  expect(flooded).toBeLessThan(1024 ** 3 / 16)
})
