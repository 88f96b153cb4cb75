import { env } from 'cloudflare:workers'
import { createExecutionContext } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { depsOf } from '../../src/deps.ts'
import { newSession, newTenant, system } from '../support/world.ts'

const CANONICAL = 'https://memory.example.com'
const app = createApp()
const canonical = { ...env, PUBLIC_ORIGIN: CANONICAL }
/** As the service is reached under another name, perhaps one that the client made up. */
const ask = async (path: string, init: RequestInit = {}) =>
  app.fetch(new Request(`https://other.example${path}`, init), canonical, createExecutionContext())

test('PUBLIC_ORIGIN is the issuer and the resource, whatever host a request names', async () => {
  const server = await (await ask('/.well-known/oauth-authorization-server')).json()
  expect(server).toMatchObject({ issuer: CANONICAL, token_endpoint: `${CANONICAL}/auth/token` })
  const resource = await (await ask('/.well-known/oauth-protected-resource')).json()
  expect(resource).toMatchObject({ resource: CANONICAL, authorization_servers: [CANONICAL] })
  const refused = await ask('/v1/projects')
  expect(refused.headers.get('www-authenticate')).toContain(`${CANONICAL}/.well-known/oauth-protected-resource`)
})

test('PUBLIC_ORIGIN is the base of links: of an error, of the landing page, of an invitation', async () => {
  expect(await (await ask('/nowhere')).json()).toMatchObject({
    type: `${CANONICAL}/api-reference/errors#not_found`,
  })
  expect(await (await ask('/')).text()).not.toContain('other.example')
  const tenant = await newTenant()
  const headers = { ...(await newSession(tenant)), 'Content-Type': 'application/json' }
  const body = JSON.stringify({ email: 'canonical@example.com', role: 'viewer' })
  const invited = await ask(`/v1/workspaces/${tenant.workspaceId}/members`, { method: 'POST', headers, body })
  const text = await invited.text()
  expect([invited.ok, text.includes(CANONICAL), text.includes('other.example')]).toEqual([true, true, false])
})

test('without PUBLIC_ORIGIN the origin of the request is used', async () => {
  const request = new Request('https://other.example/.well-known/oauth-authorization-server')
  const answer = await app.fetch(request, env, createExecutionContext())
  expect(await answer.json()).toMatchObject({ issuer: 'https://other.example' })
})

test.each(['https://a.example/path', 'https://user@a.example', 'ftp://a.example', 'memory.example.com', 'https://'])(
  'PUBLIC_ORIGIN %s is a fault of the deployment and is ignored',
  (text) => {
    const { publicOrigin, faults } = depsOf({ ...env, PUBLIC_ORIGIN: text } as Env)(() => {}).config
    expect([publicOrigin, faults]).toEqual([null, [expect.stringMatching(/^PUBLIC_ORIGIN must be an origin/)]])
  },
)

test('http is an origin locally alone, a slash at the end is not part of it, and no webhook may lead to its host', () => {
  const configOf = (vars: Record<string, string>) => depsOf({ ...env, ...vars })(() => {}).config
  expect(configOf({ PUBLIC_ORIGIN: 'http://localhost:8787/' }).publicOrigin).toBe('http://localhost:8787')
  expect(configOf({ PUBLIC_ORIGIN: 'http://a.example', ENVIRONMENT: 'production' }).faults).toContainEqual(
    expect.stringMatching(/^PUBLIC_ORIGIN must be an origin/),
  )
  expect(configOf({ PUBLIC_ORIGIN: CANONICAL, PUBLIC_HOSTS: 'b.example' }).publicHosts).toEqual([
    'memory.example.com',
    'b.example',
  ])
  expect(system.config.publicOrigin).toBeNull()
})

test('every answer over https carries Strict-Transport-Security and nosniff; over http the former is left out', async () => {
  for (const path of ['/health', '/nowhere', '/portal/sign-in', '/v1/projects', '/auth/authorize']) {
    const { headers } = await ask(path)
    expect([headers.get('strict-transport-security'), headers.get('x-content-type-options')]).toEqual([
      'max-age=31536000',
      'nosniff',
    ])
  }
  const plain = await app.fetch(new Request('http://localhost/health'), env, createExecutionContext())
  expect(plain.headers.get('strict-transport-security')).toBeNull()
})

test('a page ignores whatever its query holds, a NUL too (contract §1)', async () => {
  for (const path of ['/?limit=%00', '/api-reference?x=%00&x=1', '/portal/sign-in?limit=%00'])
    expect((await ask(path)).status, path).toBe(200)
})
