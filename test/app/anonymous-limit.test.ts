import { expect, test } from 'vitest'
import { travel } from '../support/clock.ts'
import { call, system } from '../support/world.ts'

let host = 0
/** An address whose calls without a credential are used up. */
async function spentAddress(): Promise<{ 'CF-Connecting-IP': string }> {
  travel(0)
  host += 1
  const ip = `198.18.60.${host}`
  for (let n = 0; n < 60; n += 1) await system.limiter.acquire('anonymous', ip)
  return { 'CF-Connecting-IP': ip }
}

test.each([
  '/portal/sign-in',
  '/portal/keys',
  '/auth/authorize?client_id=x',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource/mcp',
])('contract §6: %s without a credential is counted', async (path) => {
  expect((await call('GET', path, { headers: await spentAddress() })).status).toBe(429)
})

test.each([
  ['/auth/register', '{"redirect_uris":["https://a.example"]}', 'application/json'],
  ['/auth/token', 'grant_type=refresh_token&refresh_token=x&client_id=x', 'application/x-www-form-urlencoded'],
  ['/auth/introspect', 'token=x&client_id=x', 'application/x-www-form-urlencoded'],
  ['/auth/revoke', 'token=x&client_id=x', 'application/x-www-form-urlencoded'],
  ['/auth/reset-password', 'token=x&password=a+long+password', 'application/x-www-form-urlencoded'],
])('contract §6: %s without a credential has at most 60 calls a minute', async (path, raw, type) => {
  travel(0)
  host += 1
  const headers = { 'CF-Connecting-IP': `198.18.60.${host}`, 'Content-Type': type }
  const statuses = []
  for (let n = 0; n < 61; n += 1) statuses.push((await call('POST', path, { raw, headers })).status)
  expect(statuses.at(-1)).toBe(429)
})

test.each([
  ['GET', '/api-reference/openapi.json', 200],
  ['GET', '/api-reference/asyncapi.json', 200],
  ['GET', '/llms.txt', 200],
  ['GET', '/api-reference', 200],
  ['GET', '/api-reference/errors', 200],
  ['GET', '/health', 200],
  ['GET', '/ready', 200],
  ['GET', '/api/users/me', 401],
  ['POST', '/mcp', 401],
  ['GET', '/nothing', 404],
  ['PUT', '/api/projects', 405],
])('contract §6: %s %s is not counted', async (method, path, status) => {
  expect((await call(method, path, { headers: await spentAddress() })).status).toBe(status)
})
