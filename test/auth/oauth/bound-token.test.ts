import { expect, test } from 'vitest'
import { AGENT_SCOPES } from '../../../src/auth/index.ts'
import {
  ask,
  authorizeQuery,
  newApp,
  newCode,
  newPerson,
  ORIGIN,
  redeem,
  refreshWith,
  statusWith,
  type Person,
} from '../../support/oauth.ts'
import { call, system } from '../../support/world.ts'

const MCP = `${ORIGIN}/mcp`

/** The answers of the user's hub to a token at the API, at `/mcp`, at the path of a project and at that of another one. */
async function opens(person: Person, accessToken: string): Promise<string[]> {
  const token = await system.tokens.parse(accessToken)
  const resources = [null, MCP, `${MCP}/${person.projectId}`, `${MCP}/${system.newId('prj')}`]
  const replies = resources.map((resource) =>
    system.hub(person.routingId).admit({ kind: 'access', tokenHash: token?.hash ?? '', resource, permits: [] }),
  )
  return (await Promise.all(replies)).map(({ outcome }) => outcome)
}

const [YES, NO] = ['admitted', 'refused']

test('contract §2: a token opens the resource that its consent named, and nothing else', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const bound = async (resource: string | null) => (await redeem(app, await newCode(person, app, { resource }))).body
  const [api, base, mcp, project] = [
    await bound(null),
    await bound(ORIGIN),
    await bound(`${MCP}/`),
    await bound(`${MCP}/${person.projectId}`),
  ]
  expect(await opens(person, api.access_token)).toEqual([YES, YES, YES, YES])
  expect(await opens(person, base.access_token)).toEqual([YES, YES, YES, YES])
  expect(await opens(person, mcp.access_token)).toEqual([NO, YES, YES, YES])
  expect(await opens(person, project.access_token)).toEqual([NO, NO, YES, NO])
  for (const { access_token } of [mcp, project]) expect(await statusWith(access_token)).toBe(401)
})

test('security 17: a token for /mcp is an unknown one at /api, /v1 and /realtime, in headers and in the query', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const { body } = await redeem(app, await newCode(person, app, { resource: MCP }))
  const bearer = { Authorization: `Bearer ${body.access_token}` }
  const upgrade = { Upgrade: 'websocket' }
  for (const refused of [
    await call('GET', '/api/memory/retrieve?id=mem_1', { headers: bearer }),
    await call('POST', '/api/memory/search', { headers: bearer, body: { query: 'tea' } }),
    await call('GET', '/v1/memory/items', { headers: bearer }),
    await call('GET', '/realtime?channels=memory', { headers: { ...bearer, ...upgrade } }),
    await call('GET', `/realtime?channels=memory&token=${body.access_token}`, { headers: upgrade }),
  ]) {
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 401, code: 'invalid_token' })
  }
  const hub = system.hub(person.routingId)
  const tokenHash = (await system.tokens.parse(body.access_token))?.hash ?? ''
  const socket = { connectionId: 'req_1', kind: 'access', tokenHash, clientId: null, channels: ['memory'] } as const
  expect(await hub.reserveSocket(socket)).toBe('refused')
})

test('a refreshed token stays bound, and may be narrowed to a project but never widened', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const first = (await redeem(app, await newCode(person, app, { resource: MCP }), { resource: MCP })).body
  const widened = await refreshWith(app, first.refresh_token, { resource: ORIGIN })
  expect([widened.status, widened.body.error]).toEqual([400, 'invalid_target'])
  const narrowed = (await refreshWith(app, first.refresh_token, { resource: `${MCP}/${person.projectId}` })).body
  expect(await opens(person, narrowed.access_token)).toEqual([NO, NO, YES, NO])
  const retried = (await refreshWith(app, first.refresh_token)).body
  expect(await opens(person, retried.access_token)).toEqual([NO, YES, YES, YES])
  const next = (await refreshWith(app, narrowed.refresh_token)).body
  expect(await opens(person, next.access_token)).toEqual([NO, YES, YES, YES])
})

test('a token request may bind what the consent left open, and its successors stay bound', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const first = (await redeem(app, await newCode(person, app), { resource: MCP })).body
  expect(await opens(person, first.access_token)).toEqual([NO, YES, YES, YES])
  const next = (await refreshWith(app, first.refresh_token)).body
  expect(await opens(person, next.access_token)).toEqual([NO, YES, YES, YES])
})

test('a code that is asked for another resource is not spent', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const code = await newCode(person, app, { resource: MCP })
  for (const resource of [ORIGIN, `${ORIGIN}/api`, 'https://evil.example/mcp']) {
    const { status, body } = await redeem(app, code, { resource })
    expect([status, body.error]).toEqual([400, 'invalid_target'])
  }
  expect((await redeem(app, code, { resource: MCP })).status).toBe(200)
})

test("another path of the service is invalid_target at authorize; introspection names the token's resource", async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const { headers } = await ask(person, authorizeQuery(app, { resource: `${ORIGIN}/api` }))
  expect(new URL(headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_target')
  const { body } = await redeem(app, await newCode(person, app, { resource: MCP }))
  const told = await call('POST', '/auth/introspect', {
    raw: new URLSearchParams({ token: body.access_token, ...app }),
  })
  expect(told.body).toMatchObject({ active: true, aud: MCP })
})

test('RFC 9728: each agent path has metadata of its own, whatever the project and the final slash', async () => {
  const project = system.newId('prj')
  for (const path of [
    '/mcp',
    '/mcp/',
    '/mcp?tools=search',
    `/mcp/${project}`,
    `/mcp/${project}/`,
    `/mcp/${project}?tools=search`,
  ]) {
    const { status, headers, body } = await call('GET', `/.well-known/oauth-protected-resource${path}`)
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(body).toMatchObject({
      resource: `${ORIGIN}${path}`,
      authorization_servers: [ORIGIN],
      scopes_supported: AGENT_SCOPES,
      bearer_methods_supported: ['header'],
    })
  }
  for (const path of ['/mcp/prj_1', '/mcp/x/y', '/api', '/mcp//'])
    expect((await call('GET', `/.well-known/oauth-protected-resource${path}`)).status, path).toBe(404)
})
