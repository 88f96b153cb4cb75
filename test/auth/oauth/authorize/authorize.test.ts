/** @module-tag long */
import { expect, test } from 'vitest'
import { travel } from '../../../support/clock.ts'
import {
  ask,
  authorizeQuery,
  CHALLENGE,
  csrfIn,
  decide,
  newApp,
  newPerson,
  ORIGIN,
  redeem,
  REDIRECT,
  type App,
  type Person,
} from '../../../support/oauth.ts'
import { call, db, newSession } from '../../../support/world.ts'

const world = async (options: Parameters<typeof newApp>[1] = {}): Promise<{ person: Person; app: App }> => {
  const person = await newPerson()
  return { person, app: await newApp(person, options) }
}

/** The parameters of the redirect to the application. */
const redirectOf = async (person: Person, query: string): Promise<Record<string, string>> => {
  const { status, headers } = await ask(person, query)
  expect(status).toBe(302)
  const location = new URL(headers.get('location') ?? '')
  expect(location.origin + location.pathname).toBe(REDIRECT)
  return Object.fromEntries(location.searchParams)
}

test('without a session the sign-in page comes first, and leads back with every parameter of the request', async () => {
  const { app } = await world()
  const state = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join('')
  const { status, headers } = await ask(null, authorizeQuery(app, { state }))
  expect(status).toBe(302)
  const location = new URL(headers.get('location') ?? '', ORIGIN)
  expect(location.pathname).toBe('/portal/sign-in')
  const back = new URL(location.searchParams.get('return') ?? '', ORIGIN)
  expect([back.origin, back.pathname, back.searchParams.get('state')]).toEqual([ORIGIN, '/auth/authorize', state])
})

test('a request without scope asks for all that the application has registered; offline_access changes nothing', async () => {
  const { person, app } = await world({ scopes: ['read:memory', 'read:audit'] })
  for (const scope of [null, 'offline_access']) {
    const back = await decide(person, authorizeQuery(app, { scope }))
    const { body } = await redeem(app, back.searchParams.get('code') ?? '')
    expect(body.scope).toBe('read:memory read:audit')
  }
})

test.each<[string, Record<string, string | null>, string]>([
  ['no response_type', { response_type: null }, 'invalid_request'],
  ['response_type=token', { response_type: 'token' }, 'unsupported_response_type'],
  ['an unknown scope', { scope: 'read:memory read:everything' }, 'invalid_scope'],
  ['a scope that the application has not registered', { scope: 'admin:workspace' }, 'invalid_scope'],
  ['plain PKCE', { code_challenge: CHALLENGE, code_challenge_method: 'plain' }, 'invalid_request'],
  ['PKCE without its method, which means plain', { code_challenge: CHALLENGE }, 'invalid_request'],
  ['a method without a challenge', { code_challenge_method: 'S256' }, 'invalid_request'],
  [
    'a challenge of 42 characters',
    { code_challenge: 'a'.repeat(42), code_challenge_method: 'S256' },
    'invalid_request',
  ],
  ['neither PKCE nor state', { state: null }, 'invalid_request'],
  ["another service's resource", { resource: 'https://elsewhere.example' }, 'invalid_target'],
])('security 5: %s goes back as an error with state and iss', async (_, changes, error) => {
  const { person, app } = await world()
  const answer = await redirectOf(person, authorizeQuery(app, changes))
  expect(answer).toMatchObject({ error, iss: ORIGIN })
  expect(answer['state']).toBe('state' in changes ? undefined : 'xyz')
})

test('PKCE is required for a public application, and for one that demands it', async () => {
  for (const options of [{ type: 'public' as const }, { require_pkce: true }]) {
    const { person, app } = await world(options)
    expect(await redirectOf(person, authorizeQuery(app))).toMatchObject({ error: 'invalid_request' })
    const query = authorizeQuery(app, { code_challenge: CHALLENGE, code_challenge_method: 'S256' })
    expect((await ask(person, query)).status).toBe(200)
  }
})

test.each([
  'https://client.example/callback/',
  'https://client.example/callback2',
  'https://client.example/callback?',
  'https://client.example/callback?x=1',
  'https://client.example/callback#',
  'https://user@client.example/callback',
  'https://client.example.evil.example/callback',
  'https://evil.client.example/callback',
  'https://example/callback',
  'http://client.example/callback',
  'https://client.example:444/callback',
  'https://client.example:443/callback',
  'https://Client.example/callback',
  'https://client.example/Callback',
  'https://client.example/x/../callback',
  'https://client.example/%63allback',
  'https://client.example\\callback',
  'https://client.example/callback\t',
  'https://client.example/callback\r\nSet-Cookie: a=b',
  'javascript:alert(1)//client.example/callback',
  'data:text/html,https://client.example/callback',
  '',
])('security 1: redirect_uri %j ends on our own page, and nothing is sent anywhere', async (uri) => {
  const { person, app } = await world()
  const { status, headers, text } = await ask(person, authorizeQuery(app, { redirect_uri: uri }))
  expect({ status, location: headers.get('location') }).toEqual({ status: 400, location: null })
  expect(text).toContain('This link does not work')
})

test('security 1: an unknown application ends on our own page as well', async () => {
  const { person } = await world()
  for (const client_id of ['app_00000000000000000000000000', "' or 1=1 --", '']) {
    const { status, headers } = await ask(person, authorizeQuery({ client_id }))
    expect({ status, location: headers.get('location') }).toEqual({ status: 400, location: null })
  }
})

test('security 2: a duplicate parameter is invalid_request; a duplicate client or redirect URI is not redirected', async () => {
  const { person, app } = await world()
  for (const again of ['scope=read:memory', 'state=other', 'response_type=code']) {
    expect(await redirectOf(person, `${authorizeQuery(app)}&${again}`)).toMatchObject({ error: 'invalid_request' })
  }
  for (const again of [`client_id=${app.client_id}`, `redirect_uri=${encodeURIComponent(REDIRECT)}`]) {
    expect((await ask(person, `${authorizeQuery(app)}&${again}`)).status).toBe(400)
  }
})

test('security 6: state comes back unchanged for every printable character, and cannot split a header', async () => {
  const { person, app } = await world()
  const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join('')
  for (const state of [printable, 'a\r\nSet-Cookie: b=c', '\u{1f600} ünï']) {
    const back = await decide(person, authorizeQuery(app, { state }))
    expect(back.searchParams.get('state')).toBe(state)
    expect((await redirectOf(person, authorizeQuery(app, { state, scope: 'nope' })))['state']).toBe(state)
  }
})

test('security 8: an approval without a session, from another origin, or without the right CSRF token is refused', async () => {
  const { person, app } = await world()
  const stranger = await newPerson()
  const query = authorizeQuery(app)
  const csrf = csrfIn((await ask(person, query)).text)
  const foreign = csrfIn((await ask(stranger, query)).text)
  const later = { Cookie: `__Host-recollect_session=${(await newSession(person))['X-Session-Token']}` }
  const send = (fields: Record<string, string>, headers: Record<string, string>) =>
    call('POST', `/auth/authorize?${query}`, {
      raw: new URLSearchParams({ decision: 'approve', ...fields }),
      headers: { Origin: ORIGIN, ...headers },
    })
  const refused = [
    await send({ csrf }, {}),
    await send({}, person.cookie),
    await send({ csrf: '' }, person.cookie),
    await send({ csrf: foreign }, person.cookie),
    await send({ csrf }, later),
    await send({ csrf }, { ...person.cookie, Origin: 'https://evil.example' }),
    await send({ csrf }, { ...person.cookie, Origin: 'null' }),
    await send({ csrf }, { ...person.cookie, 'Sec-Fetch-Site': 'cross-site' }),
  ]
  expect(refused.map(({ status, headers }) => [status, headers.get('location')])).toEqual(
    refused.map(() => [403, null]),
  )
  expect(await db.all('select 1 from oauth_codes where client_id = :client', { client: app.client_id })).toEqual([])
  expect((await send({ csrf }, person.cookie)).status).toBe(303)
})

test('the decision is for the request in its own address, which is read again', async () => {
  const { person, app } = await world()
  const csrf = csrfIn((await ask(person, authorizeQuery(app))).text)
  const answer = await call(
    'POST',
    `/auth/authorize?${authorizeQuery(app, { redirect_uri: 'https://evil.example/' })}`,
    {
      raw: new URLSearchParams({ decision: 'approve', csrf }),
      headers: { ...person.cookie, Origin: ORIGIN },
    },
  )
  expect(answer.status).toBe(400)
})

test('an application that is deleted during the consent gets no code, and the browser is not redirected to it', async () => {
  const { person, app } = await world()
  const query = authorizeQuery(app)
  const csrf = csrfIn((await ask(person, query)).text)
  await call('DELETE', `/v1/apps/${app.client_id}`, { headers: person.session })
  const answer = await call('POST', `/auth/authorize?${query}`, {
    raw: new URLSearchParams({ decision: 'approve', csrf }),
    headers: { ...person.cookie, Origin: ORIGIN },
  })
  expect({ status: answer.status, location: answer.headers.get('location') }).toEqual({ status: 400, location: null })
})

test('security 11, 40, 41: the pages are never framed, load nothing from another origin, and are never cached', async () => {
  const { person, app } = await world()
  for (const query of [authorizeQuery(app), 'client_id=nobody']) {
    const { headers, text } = await ask(person, query)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|\*/)
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(text).not.toMatch(/<script(?![^>]+src="\/)|<style|\son\w+=|style="/)
    expect(text.match(/(?:src|href)="(?!\/)[^"]*"/g)).toBeNull()
  }
})

test('an ended session is asked to sign in again', async () => {
  const { person, app } = await world()
  await call('POST', '/auth/logout', { headers: person.session })
  const { status, headers } = await ask(person, authorizeQuery(app))
  expect({ status, to: headers.get('location')?.split('?')[0] }).toEqual({ status: 302, to: '/portal/sign-in' })
})

test('without a session a network address may call 60 times a minute; then a page says so', async () => {
  const { app } = await world()
  const from = (ip: string) =>
    call('GET', `/auth/authorize?${authorizeQuery(app)}`, { headers: { 'CF-Connecting-IP': ip } })
  travel(0)
  const statuses = new Set<number>()
  for (let n = 0; n < 60; n += 1) statuses.add((await from('203.0.113.60')).status)
  expect(statuses).toEqual(new Set([302]))
  const { status, headers, text } = await from('203.0.113.60')
  expect(status).toBe(429)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(text).toContain('This did not work')
  expect((await from('203.0.113.61')).status).toBe(302)
})

test('loopback redirects work where the deployment allows them', async () => {
  const uri = 'http://127.0.0.1:4567/callback'
  const { person, app } = await world({ redirect_uris: [uri] })
  const asked = await ask(person, authorizeQuery(app, { redirect_uri: uri }))
  expect(asked.headers.get('content-security-policy')).toContain('http://127.0.0.1:4567')
  const back = await decide(person, authorizeQuery(app, { redirect_uri: uri }))
  expect(back.origin).toBe('http://127.0.0.1:4567')
})
