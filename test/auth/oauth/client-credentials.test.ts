import { expect, test } from 'vitest'
import { expectAudited, newApp, newCode, newPerson, redeem, REDIRECT, secretOf, type App } from '../../support/oauth.ts'
import { call, form } from '../../support/world.ts'

const FIELDS = { grant_type: 'authorization_code', code: 'rcc_wrong', redirect_uri: REDIRECT }
const basic = (id: string, secret: string) => ({ Authorization: `Basic ${btoa(`${id}:${secret}`)}` })

async function world(): Promise<{ app: App; other: App }> {
  const person = await newPerson()
  return { app: await newApp(person), other: await newApp(person) }
}

test('one answer for unknown clients, wrong secrets and missing ones', async () => {
  const { app, other } = await world()
  const answers = [
    await form('/auth/token', { ...FIELDS, ...app, client_secret: other.client_secret }),
    await form('/auth/token', { ...FIELDS, ...app, client_secret: 'rcx_made-up' }),
    await form('/auth/token', { ...FIELDS, client_id: app.client_id }),
    await form('/auth/token', { ...FIELDS, ...app, client_id: 'app_00000000000000000000000000' }),
    await form('/auth/token', FIELDS, basic(app.client_id, other.client_secret)),
    await form('/auth/token', FIELDS, { Authorization: 'Bearer rca_x' }),
  ]
  expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1)
  expect({ status: answers[0]?.status, error: answers[0]?.body.error }).toEqual({
    status: 401,
    error: 'invalid_client',
  })
  expect(answers.map(({ headers }) => headers.get('www-authenticate')?.startsWith('Basic') ?? false)).toEqual([
    false,
    false,
    false,
    false,
    true,
    true,
  ])
})

test('security 12: two client authentication methods at once are invalid_request', async () => {
  const { app, other } = await world()
  const both = await form('/auth/token', { ...FIELDS, ...secretOf(app) }, basic(app.client_id, app.client_secret))
  expect({ status: both.status, error: both.body.error }).toEqual({ status: 400, error: 'invalid_request' })
  const differ = await form(
    '/auth/token',
    { ...FIELDS, client_id: other.client_id },
    basic(app.client_id, app.client_secret),
  )
  expect({ status: differ.status, error: differ.body.error }).toEqual({ status: 400, error: 'invalid_request' })
  const same = await form(
    '/auth/token',
    { ...FIELDS, client_id: app.client_id },
    basic(app.client_id, app.client_secret),
  )
  expect(same.body.error).toBe('invalid_grant')
})

test.each([
  'Basic',
  'Basic ',
  'Basic !!!',
  'Basic ====',
  'Basic YQ',
  'Basic YTpi YTpi',
  `Basic ${btoa('%zz:%zz')}`,
  `Basic ${btoa(':')}`,
  `Basic ${btoa('\xff\xfe:\xff')}`,
  `Basic ${btoa('a:'.repeat(4_000))}`,
  'Digest username="a"',
  'Bearer',
  '',
])('security 13: Authorization %j is refused and never a 500', async (authorization) => {
  const { status, body } = await form('/auth/token', FIELDS, { Authorization: authorization })
  expect({ status, error: body.error }).toEqual({ status: 401, error: 'invalid_client' })
})

test('security 14: other content types and bodies over 64 KiB are refused in the same shape', async () => {
  const { app } = await world()
  const text = new URLSearchParams({ ...FIELDS, ...secretOf(app) }).toString()
  for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain', '']) {
    const { status, body } = await call('POST', '/auth/token', { raw: text, headers: { 'Content-Type': type } })
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_request' })
  }
  const large = await form('/auth/token', { ...FIELDS, ...secretOf(app), padding: 'x'.repeat(65_536) })
  expect({ status: large.status, error: large.body.error }).toEqual({ status: 413, error: 'invalid_request' })
})

test('security 2: a duplicate parameter is invalid_request', async () => {
  const { app } = await world()
  const raw = new URLSearchParams([...Object.entries({ ...FIELDS, ...secretOf(app) }), ['grant_type', 'refresh_token']])
  const { status, body } = await call('POST', '/auth/token', { raw })
  expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_request' })
})

test("security 18: a stranger cannot use up a client's limit: failures count by address", async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const open = await newApp(person, { type: 'public' })
  const stranger = { 'CF-Connecting-IP': '203.0.113.7' }
  const outcomes: number[] = []
  for (let n = 0; n < 14; n += 1) {
    const wrong = { ...FIELDS, client_id: app.client_id, client_secret: 'rcx_wrong' }
    outcomes.push((await form('/auth/token', wrong, stranger)).status)
  }
  expect(outcomes).toEqual([...Array<number>(10).fill(401), ...Array<number>(4).fill(429)])
  // Who knows a public client_id has nothing to prove, but a made-up code counts against its sender too.
  for (let n = 0; n < 14; n += 1) await form('/auth/token', { ...FIELDS, client_id: open.client_id }, stranger)
  expect((await redeem(app, await newCode(person, app))).headers.get('ratelimit')).toMatch(/"oauth.token";r=9/)
  expect((await form('/auth/token', { ...FIELDS, client_id: open.client_id })).status).toBe(400)
})

test('the eleventh token request of a client in a minute is 429 temporarily_unavailable', async () => {
  const { app, other } = await world()
  const send = (one: App) => form('/auth/token', { ...FIELDS, ...secretOf(one) })
  const statuses: number[] = []
  for (let n = 0; n < 11; n += 1) statuses.push((await send(app)).status)
  expect(statuses).toEqual([...Array<number>(10).fill(400), 429])
  const refused = await send(app)
  expect(refused.body.error).toBe('temporarily_unavailable')
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  expect((await send(other)).status).toBe(400)
})

test("security 49: a wrong secret of an application is in its owner's log, wherever it was tried", async () => {
  const owner = await newPerson()
  const [app, other] = [await newApp(owner), await newApp(await newPerson())]
  const wrong = { client_id: app.client_id, client_secret: other.client_secret }
  const tried = [
    await form('/auth/token', { ...FIELDS, ...wrong }),
    await form('/auth/introspect', { token: 'rca_x' }, basic(app.client_id, 'rcx_made-up')),
    await form('/auth/revoke', { token: 'rca_x', client_id: app.client_id }),
  ]
  expect(tried.map(({ body }) => body.error)).toEqual(tried.map(() => 'invalid_client'))
  await expectAudited(
    owner.tenantId,
    ['oauth.token', 'oauth.introspect', 'oauth.revoke'].map((action) => `${action} invalid_client`),
  )
  const { body, text } = await call('GET', '/v1/audit?action=oauth.token', { key: owner.key })
  expect(body.data).toMatchObject([
    {
      actor: owner.userId,
      credential: { kind: 'client_secret', app_id: app.client_id },
      resource_ids: [app.client_id],
      outcome: 'invalid_client',
    },
  ])
  expect(text).not.toContain(other.client_secret)
})
