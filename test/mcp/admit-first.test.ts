import { exports } from 'cloudflare:workers'
import { afterAll, expect, test } from 'vitest'
import { counted, settled } from '../support/counted.ts'
import { OLDER } from '../support/mcp.ts'
import { ORIGIN } from '../support/oauth.ts'
import { call, newSession, newTenant, system } from '../support/world.ts'

afterAll(settled)

/** Sends a message that never ends: whoever reads it never answers. */
async function unread(path: string, bearer: string): Promise<number> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  void writer.write(new TextEncoder().encode('{')).catch(() => {})
  const request = new Request(`${ORIGIN}${path}`, {
    method: 'POST',
    headers: { ...OLDER, 'Content-Type': 'application/json', Authorization: `Bearer ${bearer}` },
    body: readable,
  })
  const { status } = await exports.default.fetch(request)
  await writer.abort().catch(() => {})
  return status
}

/** Well formed and never given out: its checksum is right, so that the hub alone knows. */
const madeUp = async (): Promise<string> => {
  const { routingId } = await newTenant()
  return (await system.tokens.mint('rck_live', routingId, system.random)).token
}

test('contract §1, security 53: a message of a made-up key is refused unread', async () => {
  expect(await unread('/mcp', await madeUp())).toBe(401)
  expect(await unread(`/mcp/prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG`, await madeUp())).toBe(401)
})

test('contract §1, security 53: a message of a revoked key is refused unread', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const { body } = await call('GET', '/v1/api-keys', { headers })
  expect((await call('DELETE', `/v1/api-keys/${body.data[0].id}`, { headers })).status).toBe(204)
  expect(await unread('/mcp', tenant.key)).toBe(401)
})

test('contract §1: 401 goes before 413 and 415, whatever length a message declares', async () => {
  const bearer = await madeUp()
  const { key } = await newTenant()
  const statusOf = async (token: string, headers: Record<string, string>, raw: string) =>
    (
      await call('POST', '/mcp', {
        raw,
        headers: { ...OLDER, Authorization: `Bearer ${token}`, ...headers },
      })
    ).status
  for (const length of [{}, { 'Content-Length': '2' }]) {
    const wrongType = { ...length, 'Content-Type': 'text/plain' }
    expect(await statusOf(bearer, wrongType, '{}')).toBe(401)
    expect(await statusOf(key, wrongType, '{}')).toBe(415)
  }
  const large = ' '.repeat(1024 * 1024 + 1)
  const type = { 'Content-Type': 'application/json' }
  expect(await statusOf(bearer, type, large)).toBe(401)
  expect(await statusOf(key, type, large)).toBe(413)
})

test.each([
  ['short', 1, 1],
  ['long', 16 * 1024, 2],
])('a %s message asks the hub before it is read only where it is long', async (_, characters, hub) => {
  const { key } = await newTenant()
  const body = { jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: { x: 'x'.repeat(characters) } } }
  const { status, asked } = await counted('POST', '/mcp', {
    headers: { ...OLDER, Authorization: `Bearer ${key}` },
    body,
  })
  expect({ status, hub: asked.hub }).toEqual({ status: 200, hub })
})
