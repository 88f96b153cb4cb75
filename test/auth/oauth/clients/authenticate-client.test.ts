import { expect, test } from 'vitest'
import { MAX_FORM_BYTES } from '../../../../src/auth/oauth/parameters.ts'
import { basic, newApp, newPerson, REDIRECT, secretOf, type App } from '../../../support/oauth.ts'
import { call, form } from '../../../support/world.ts'

const FIELDS = { grant_type: 'authorization_code', code: 'rcc_wrong', redirect_uri: REDIRECT }
async function world(): Promise<{ app: App; other: App }> {
  const person = await newPerson()
  return { app: await newApp(person), other: await newApp(person) }
}

test('unknown clients, wrong secrets and missing ones get the same answer', async () => {
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

test('security 14: other content types and bodies over 16 KiB are refused in the same shape', async () => {
  const { app } = await world()
  const text = new URLSearchParams({ ...FIELDS, ...secretOf(app) }).toString()
  for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain', '']) {
    const { status, body } = await call('POST', '/auth/token', { raw: text, headers: { 'Content-Type': type } })
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_request' })
  }
  const large = await form('/auth/token', { ...FIELDS, ...secretOf(app), padding: 'x'.repeat(MAX_FORM_BYTES) })
  expect({ status: large.status, error: large.body.error }).toEqual({ status: 413, error: 'invalid_request' })
  // The longest of what a token request may hold is read, and refused for what it says.
  const redirect_uri = 'https://client.example/'.padEnd(4_096, '&')
  const longest = {
    grant_type: 'authorization_code',
    code: 'x'.repeat(256),
    code_verifier: 'x'.repeat(128),
    redirect_uri,
  }
  const read = await form('/auth/token', { ...FIELDS, ...secretOf(app), ...longest })
  expect({ status: read.status, error: read.body.error }).toEqual({ status: 400, error: 'invalid_grant' })
})

test('security 2: a duplicate parameter is invalid_request', async () => {
  const { app } = await world()
  const raw = new URLSearchParams([...Object.entries({ ...FIELDS, ...secretOf(app) }), ['grant_type', 'refresh_token']])
  const { status, body } = await call('POST', '/auth/token', { raw })
  expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_request' })
})
