import { expect, test } from 'vitest'
import { authenticate, calledResource } from '../../../src/auth/index.ts'
import { addKey, call, newSession, newTenant, system } from '../../support/world.ts'

const PATH = '/v1/projects'

test('security 20: two credentials at once are 400 conflicting_credentials, valid or not', async () => {
  const { key } = await newTenant()
  for (const headers of [
    { 'X-API-Key': key, 'X-Session-Token': 'x' },
    { 'X-API-Key': key, Authorization: 'Bearer x' },
    { Authorization: 'Bearer x', 'X-Session-Token': 'y' },
    { Authorization: 'Basic x', 'X-API-Key': key },
  ]) {
    const { status, body } = await call('GET', PATH, { headers })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'conflicting_credentials' })
  }
})

test('without a credential: 401 with a Bearer challenge that names the metadata, and no error', async () => {
  const { status, headers, body } = await call('GET', PATH)
  expect({ status, code: body.code }).toEqual({ status: 401, code: 'unauthenticated' })
  expect(headers.get('www-authenticate')).toBe(
    'Bearer resource_metadata="http://recollect.test/.well-known/oauth-protected-resource"',
  )
})

test('security 17: each kind of token in each other header is 401', async () => {
  const tenant = await newTenant()
  const session = (await newSession(tenant))['X-Session-Token']
  const { token: access } = await system.tokens.mint('rca', tenant.routingId, system.random)
  const tokens = { key: tenant.key, session, access }
  const put = {
    key: (token: string) => ({ 'X-API-Key': token }),
    session: (token: string) => ({ 'X-Session-Token': token }),
    access: (token: string) => ({ Authorization: `Bearer ${token}` }),
  }
  for (const [kind, token] of Object.entries(tokens))
    for (const [header, headersOf] of Object.entries(put)) {
      const { status } = await call('GET', PATH, { headers: headersOf(token) })
      expect(`${kind} in ${header}: ${status}`).toBe(
        `${kind} in ${header}: ${kind === header && kind !== 'access' ? 200 : 401}`,
      )
    }
})

test('security 21: odd spacing, odd characters and odd lengths are 401, never 500', async () => {
  const { key } = await newTenant()
  const odd = [
    { 'X-API-Key': `${key} ${key}` },
    { 'X-API-Key': `"${key}"` },
    { 'X-API-Key': 'clé' },
    { 'X-API-Key': '' },
    { 'X-API-Key': 'rck_live_' },
    { 'X-API-Key': 'x'.repeat(8_000) },
    { Authorization: 'Bearer' },
    { Authorization: 'Bearer ' },
    { Authorization: `Bearer a b` },
    { Authorization: `Bearer\t${key}` },
    { Authorization: 'Basic dXNlcjpwYXNz' },
    { Authorization: '' },
    { 'X-Session-Token': ',' },
    { 'X-Session-Token': '%00' },
  ]
  for (const headers of odd) {
    const { status, body } = await call('GET', PATH, { headers })
    expect({ headers, status, code: body.code }).toEqual({
      headers,
      status: 401,
      code: expect.stringMatching(/^(invalid_token|unauthenticated)$/),
    })
  }
})

test('security 22: forwarded-for, method-override and user-id headers change nothing', async () => {
  const [mine, theirs] = [await newTenant(), await newTenant()]
  const headers = {
    'X-Forwarded-For': '203.0.113.9',
    'X-Real-IP': '203.0.113.9',
    'X-HTTP-Method-Override': 'DELETE',
    'X-Method-Override': 'DELETE',
    'X-User-Id': theirs.userId,
    'X-Tenant-Id': theirs.tenantId,
  }
  const { status, body } = await call('GET', `/v1/projects/${mine.projectId}`, { key: mine.key, headers })
  expect({ status, id: body.id }).toEqual({ status: 200, id: mine.projectId })
})

test('security 23: unknown, malformed, revoked and expired keys get the same answer, byte for byte', async () => {
  const tenant = await newTenant()
  const revoked = await addKey(tenant)
  await call('DELETE', `/v1/api-keys/${revoked.id}`, { headers: await newSession(tenant) })
  const expired = await addKey(tenant, { expiresAt: system.now() })
  const unknown = await system.tokens.mint('rck_live', tenant.routingId, system.random)
  const answers = []
  for (const key of [revoked.secret, expired.secret, unknown.token, 'rck_live_made-up']) {
    const { status, headers, body } = await call('GET', PATH, { key })
    answers.push({ status, challenge: headers.get('www-authenticate'), body: { ...body, request_id: '' } })
  }
  expect(answers[0]).toMatchObject({ status: 401, challenge: expect.stringContaining('error="invalid_token"') })
  for (const answer of answers) expect(answer).toEqual(answers[0])
})

test('contract §2: on agent paths, and nowhere else, a key may come as a Bearer token', async () => {
  const tenant = await newTenant()
  const session = (await newSession(tenant))['X-Session-Token']
  const at = (path: string, headers: Record<string, string>) =>
    authenticate(new Headers(headers), system.tokens, calledResource(new Request(`http://x${path}`), 'http://x'))
  const bearer = { Authorization: `Bearer ${tenant.key}` }
  expect(await at('/mcp', bearer)).toMatchObject({ kind: 'key' })
  expect(await at(`/mcp/${tenant.projectId}/`, bearer)).toMatchObject({ kind: 'key' })
  expect(await at('/mcp', { 'X-API-Key': tenant.key })).toMatchObject({ kind: 'key' })
  for (const path of ['/v1/projects', '/mcpx', '/mcp/prj_1', '/api/mcp'])
    await expect(at(path, bearer), path).rejects.toMatchObject({ code: 'invalid_token' })
  await expect(at('/mcp', { Authorization: `Bearer ${session}` })).rejects.toMatchObject({ code: 'invalid_token' })
  await expect(at('/mcp', { ...bearer, 'X-API-Key': tenant.key })).rejects.toMatchObject({
    code: 'conflicting_credentials',
  })
})
