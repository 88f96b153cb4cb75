/** @module-tag long */
import { expect, test } from 'vitest'
import { AGENT_SCOPES } from '../../../../src/auth/oauth/resources.ts'
import { findClient } from '../../../../src/auth/oauth/clients/client.ts'
import {
  approveAs,
  documentHost,
  readQuery,
  serving,
  type DocumentHost,
  CALLBACK,
  newUrl,
  documentOf,
  queryFor,
  newAgent,
  tokensOf,
} from '../../../support/documents.ts'
import { ORIGIN, redeem, refreshWith, statusWith, VERIFIER } from '../../../support/oauth.ts'
import { call, db, form, system } from '../../../support/world.ts'

const stored = (url: string) => db.all<{ name: string }>('select name from oauth_clients where id = :url', { url })

test('contract §2: consent stores the document, and from then on tokens need its host no more', async () => {
  const one = await newAgent()
  const { person, url, host, ctx, app } = one
  expect(await readQuery(ctx, queryFor(url))).toMatchObject({ step: 'consent', request: { client: { name: 'Agent' } } })
  expect(await stored(url)).toEqual([])
  const { status, body } = await tokensOf(one)
  expect(status).toBe(200)
  expect(await stored(url)).toEqual([{ name: 'Agent' }])
  expect(host.fetched).toEqual([url])
  host.answers.clear()
  const next = (await refreshWith(app, body.refresh_token)).body
  expect(next.scope).toBe('read:memory write:memory')
  const token = await system.tokens.parse(next.access_token)
  const admit = () =>
    system
      .hub(person.routingId)
      .admit({ kind: 'access', tokenHash: token?.hash ?? '', resource: `${ORIGIN}/mcp`, permits: [] })
  expect((await admit()).outcome).toBe('admitted')
  expect((await form('/auth/revoke', { token: next.refresh_token, client_id: url })).status).toBe(200)
  expect((await admit()).outcome).toBe('refused')
  expect(await statusWith(next.access_token)).toBe(401)
})

test('denying stores nothing, and neither does a consent whose session has ended', async () => {
  const { person, url, ctx } = await newAgent()
  await readQuery(ctx, queryFor(url))
  await db.write('update sessions set revoked_at = :revoked_at where user_id = :user', {
    revoked_at: system.now(),
    user: person.userId,
  })
  await expect(approveAs(ctx, queryFor(url))).rejects.toMatchObject({ code: 'forbidden' })
  expect(await stored(url)).toEqual([])
})

test('a fresh copy is not fetched again; a stale one is, and a redirect that is gone ends with that', async () => {
  const one = await newAgent({}, { 'Cache-Control': 'max-age=600' })
  const { url, host, ctx } = one
  await tokensOf(one)
  host.answers.set(url, serving(documentOf(url, { redirect_uris: ['https://agent.example/callback'] })))
  const later = (ms: number) => ({ ...ctx, now: () => system.now() + ms, clientDocuments: other })
  const other = documentHost()
  other.answers = host.answers
  expect(await readQuery(later(590_000), queryFor(url))).toMatchObject({ step: 'consent' })
  expect(other.fetched).toEqual([])
  expect(await readQuery(later(610_000), queryFor(url))).toMatchObject({ step: 'refuse' })
  expect(other.fetched).toEqual([url])
  const moved = queryFor(url, { redirect_uri: 'https://agent.example/callback' })
  expect(await readQuery(later(610_000), moved)).toMatchObject({ step: 'consent' })
})

test('a stale copy is worth nothing at authorize while the host is down', async () => {
  const one = await newAgent({}, {})
  const { url, host, ctx } = one
  await tokensOf(one)
  host.answers.clear()
  expect(await readQuery(ctx, queryFor(url))).toMatchObject({
    step: 'refuse',
    detail: expect.stringContaining('its host could not be reached'),
  })
})

test('security 60: a failure is remembered, and an address makes the service fetch ten documents a minute', async () => {
  const { host, ctx } = await newAgent()
  const [broken, from] = [newUrl(), { ...ctx.client, ip: '203.0.113.181' }]
  for (let n = 0; n < 5; n += 1)
    expect(await readQuery({ ...ctx, client: from }, queryFor(broken))).toMatchObject({ step: 'refuse' })
  expect(host.fetched).toEqual([broken])
  const fetchAnother = () => readQuery({ ...ctx, client: from }, queryFor(newUrl()))
  for (let n = 0; n < 9; n += 1) await fetchAnother()
  await expect(fetchAnother()).rejects.toMatchObject({ code: 'rate_limited' })
  expect(host.fetched).toHaveLength(10)
  expect(await readQuery({ ...ctx, client: from }, queryFor(broken))).toMatchObject({ step: 'refuse' })
})

test.each<[string, (host: DocumentHost, url: string) => void]>([
  ['lies about its id', (host, url) => host.answers.set(url, serving(documentOf(`${url}x`)))],
  ['redirects', (host, url) => host.answers.set(url, () => Response.redirect('https://agent.example/other.json'))],
  ['resolves to a private address', (host) => host.addresses.push('10.0.0.1')],
  [
    'has no redirect that may be',
    (host, url) => host.answers.set(url, serving(documentOf(url, { redirect_uris: ['x://y'] }))),
  ],
  ['has a secret', (host, url) => host.answers.set(url, serving(documentOf(url, { client_secret: 's' })))],
])(
  'security 60: an application whose document %s ends on our own page, and leaves nothing behind',
  async (_, spoil) => {
    const { url, host, ctx } = await newAgent()
    spoil(host, url)
    expect(await readQuery(ctx, queryFor(url))).toMatchObject({ step: 'refuse' })
    expect(await stored(url)).toEqual([])
  },
)

test('security 60: a document at a private address, or at this very service, is not asked for', async () => {
  const { host, ctx } = await newAgent()
  const config = { ...system.config, publicHosts: ['memory.example'] }
  for (const url of [
    'https://127.0.0.1/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/client.json',
    'https://localhost/client.json',
    'https://printer.local/client.json',
    'https://memory.example/client.json',
    'https://recollect.test/client.json',
  ])
    expect(await readQuery({ ...ctx, config }, queryFor(url)), url).toMatchObject({ step: 'refuse' })
  expect(host.fetched).toEqual([])
})

test('a document that private_key_jwt is preferred in must use S256, and needs no secret', async () => {
  const one = await newAgent({
    token_endpoint_auth_method: 'private_key_jwt',
    jwks_uri: 'https://agent.example/jwks.json',
  })
  const { url, ctx } = one
  const plain = queryFor(url, { code_challenge: null, code_challenge_method: null })
  expect(await readQuery(ctx, plain)).toMatchObject({
    step: 'redirect',
    location: expect.stringContaining('error=invalid_request'),
  })
  const code = (await approveAs(ctx, queryFor(url))).searchParams.get('code') ?? ''
  const { status } = await redeem(one.app, code, {
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: 'eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl',
  })
  expect(status).toBe(200)
})

test('what a person has granted names the address of the document, and can be taken back', async () => {
  const one = await newAgent()
  const { body } = await tokensOf(one)
  const listed = await call('GET', '/v1/grants', { headers: one.person.session })
  expect(listed.body.data).toMatchObject([{ application: { client_id: one.url, name: 'Agent' } }])
  await call('DELETE', `/v1/grants/${listed.body.data[0].id}`, { headers: one.person.session })
  expect((await refreshWith(one.app, body.refresh_token)).body.error).toBe('invalid_grant')
})

test('ALLOW_PRIVATE_CLIENT_DOCUMENTS alone allows a document at a private address, and an http one', async () => {
  const { host, ctx } = await newAgent()
  const url = `http://127.0.0.1:9999/${crypto.randomUUID()}.json`
  host.answers.set(url, serving(documentOf(url)))
  const read = (allowPrivateClientDocuments: boolean) =>
    readQuery({ ...ctx, config: { ...system.config, allowPrivateClientDocuments } }, queryFor(url))
  expect(system.config.allowPrivateWebhooks).toBe(true)
  expect(await read(false)).toMatchObject({ step: 'refuse' })
  expect(host.fetched).toEqual([])
  expect(await read(true)).toMatchObject({ step: 'consent' })
})

test('scopes that a document or its request may not have are dropped; invalid_scope where none is left', async () => {
  const { url, ctx } = await newAgent({ scope: 'read:memory read:profile admin:workspace openid' })
  const scopesOf = async (scope: string | null) => {
    const next = await readQuery(ctx, queryFor(url, { scope }))
    return next.step === 'consent' ? next.request.scopes : next.step === 'redirect' ? next.location : next.detail
  }
  expect(await scopesOf('read:memory write:memory openid')).toEqual(['read:memory'])
  expect(await scopesOf(null)).toEqual(['read:memory', 'read:profile'])
  expect(await scopesOf('openid profile email')).toEqual(['read:memory', 'read:profile'])
  expect(await scopesOf('write:memory')).toContain('error=invalid_scope')
  const nothing = await newAgent({ scope: 'groups' })
  expect(await readQuery(nothing.ctx, queryFor(nothing.url, { scope: null }))).toMatchObject({
    step: 'redirect',
    location: expect.stringContaining('error=invalid_scope'),
  })
})

test('a document that names OpenID scopes alone, and null for what it leaves out, asks for what agents need', async () => {
  const { url, ctx } = await newAgent({ client_name: null, scope: 'openid email', token_endpoint_auth_method: null })
  expect(await readQuery(ctx, queryFor(url, { scope: null }))).toMatchObject({
    step: 'consent',
    request: { client: { name: 'agent.example' }, scopes: AGENT_SCOPES },
  })
})

test('an unknown document is no client at the token endpoint, and a secret opens none', async () => {
  const { url } = await newAgent()
  const fields = { grant_type: 'authorization_code', code: 'x', client_id: url }
  expect((await form('/auth/token', fields)).body.error).toBe('invalid_client')
  expect(await findClient(system, url)).toBeNull()
  const one = await newAgent()
  await tokensOf(one)
  const answer = await form('/auth/token', { ...fields, client_id: one.url, client_secret: 'rcx_made-up' })
  expect(answer.body.error).toBe('invalid_client')
})
