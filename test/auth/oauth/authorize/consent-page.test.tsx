import { expect, test } from 'vitest'
import type { AuthorizationRequest } from '../../../../src/auth/oauth/authorize/authorization-request.ts'
import { ConsentPage, RefusedPage } from '../../../../src/auth/oauth/authorize/consent-page.tsx'
import { page } from '../../../../src/auth/pages/index.ts'
import { REDIRECT } from '../../../support/oauth.ts'

const ADA = { name: 'Ada', email: 'ada@example.com', theme: 'dark' } as const

const requestOf = (
  client: Partial<AuthorizationRequest['client']> = {},
  changes: Partial<AuthorizationRequest> = {},
): AuthorizationRequest => ({
  client: {
    id: 'app_1',
    shard: '00',
    tenantId: 'ten_1',
    userId: 'usr_1',
    name: 'Notes',
    type: 'confidential',
    redirectUris: [REDIRECT],
    scopes: ['read:memory', 'admin:workspace'],
    requirePkce: false,
    refreshGraceMs: 0,
    secretHashes: [],
    lastUsedAt: null,
    freshUntil: 0,
    ...client,
  },
  redirectUri: REDIRECT,
  scopes: ['read:memory'],
  state: 'xyz',
  challenge: null,
  resource: null,
  ...changes,
})

const render = async (request: AuthorizationRequest): Promise<string> =>
  (await page(<ConsentPage user={ADA} request={request} csrf="token" here="/auth/authorize?state=a&scope=b" />)).text()

test('the page names the application, its scopes in plain words, the signed-in user, and where the answer leads', async () => {
  const text = await render(requestOf())
  for (const part of ['Notes', 'Read and search your memories', 'client.example', 'ada@example.com'])
    expect(text).toContain(part)
  expect(text).not.toContain('Manage members')
  expect(text).not.toContain('registered itself')
  expect(text).toContain('action="/auth/authorize?state=a&amp;scope=b"')
  expect(text).toContain('name="csrf" value="token"')
})

test('the page says that an application registered itself', async () => {
  expect(await render(requestOf({ userId: null }))).toContain('This application registered itself')
})

test.each(['http://127.0.0.1:33418/', 'http://localhost/callback', 'cursor://anysphere.cursor-mcp/oauth/callback'])(
  'for %s the page names no host: any application on this computer could be there',
  async (redirectUri) => {
    const text = await render(requestOf({ userId: null }, { redirectUri }))
    expect(text).toContain('an application on this computer')
    expect(text).not.toMatch(/consent-host|anysphere|33418/)
  },
)

test('security 61: the page shows the whole host of a metadata document, in the letters that its name has in the network', async () => {
  for (const [id, host] of [
    ['https://claude.ai.evil.example/oauth/client.json', 'claude.ai.evil.example'],
    ['https://claude.ai@evil.example/client.json', 'evil.example'],
    ['https://xn--clude-v6c.example/client.json', 'xn--clude-v6c.example'],
    ['https://claude.ai:8443/client.json', 'claude.ai:8443'],
  ] as const) {
    const text = await render(requestOf({ id, userId: null, name: 'Claude' }))
    expect(text).toContain(`Its name comes from <strong class="consent-host">${host}</strong>`)
    expect(text).not.toContain('registered itself')
  }
})

test('the page says where a token for an agent path reaches', async () => {
  const project = 'prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG'
  expect(await render(requestOf({}, { resource: 'https://x.example/mcp' }))).toContain('and only as an agent')
  expect(await render(requestOf({}, { resource: `https://x.example/mcp/${project}` }))).toContain(
    `as an agent and in the project ${project} only`,
  )
})

test('security 35, 39: a hostile name is text on the page, with invisible characters by their numbers', async () => {
  const text = await render(requestOf({ name: '"><img src=x onerror=alert(1)>\u202e' }))
  expect(text).not.toContain('<img')
  expect(text).toContain('&lt;img')
  expect(text).toContain('U+202E')
})

test('a refusal names its reason and its request id', async () => {
  const refused = <RefusedPage title="This link does not work" detail="It is <old>." requestId="req_1" />
  const text = await (await page(refused)).text()
  for (const part of ['This link does not work', 'It is &lt;old&gt;.', 'req_1']) expect(text).toContain(part)
})
