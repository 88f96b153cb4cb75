/** @module-tag long */
import { expect, test } from 'vitest'
import { portalRoutes } from '../../src/portal/index.ts'
import { travel } from '../support/clock.ts'
import { csrfIn, newPerson } from '../support/oauth.ts'
import { Browser } from '../support/portal.ts'
import { call } from '../support/world.ts'

const fill = (path: string): string => path.replaceAll(/:\w+/g, 'x')
const sessionRoutes = portalRoutes.filter(({ auth }) => auth === 'session')
const pages = sessionRoutes.filter(({ method }) => method === 'get').map(({ path }) => fill(path))
const actions = portalRoutes.filter(({ method }) => method === 'post').map(({ path }) => fill(path))

test.each(pages)('without a session %s redirects to the sign-in page, with the way back', async (path) => {
  const answer = await new Browser().open(path)
  const back = path === '/portal' ? '' : `?return=${encodeURIComponent(path)}`
  expect({ status: answer.status, location: answer.headers.get('location'), text: answer.text }).toEqual({
    status: 303,
    location: `/portal/sign-in${back}`,
    text: '',
  })
})

const withIds = sessionRoutes
  .filter(({ method, path }) => method === 'get' && path.includes(':'))
  .map(({ path }) => path)

test.each(withIds)('security 50: %s calls no other path of the API, whatever its id holds', async (path) => {
  const browser = new Browser(await newPerson())
  const ids = [
    '..%2F..%2Fv1%2Fapi-keys',
    '..%2Fme',
    'x%3Flimit=1',
    'x%23y',
    '%00',
    '%25',
    'x%2Fy',
    'ü',
    'x'.repeat(2_000),
  ]
  for (const id of ids) expect((await browser.open(path.replaceAll(/:\w+/g, id))).status, id).toBe(404)
})

test.each(actions)(
  'security 8: %s refuses a form without a token, with the token of another session, or from another origin',
  async (path) => {
    const [mine, theirs] = [new Browser(await newPerson()), new Browser(await newPerson())]
    const own = csrfIn((await mine.open('/portal/keys/new')).text)
    const foreign = csrfIn((await theirs.open('/portal/keys/new')).text)
    expect(own).not.toBe('')
    expect(foreign).not.toBe(own)
    expect((await mine.send(path, path, { csrf: '' })).status).toBe(403)
    expect((await mine.send(path, path, { csrf: foreign })).status).toBe(403)
    expect((await mine.send(path, path, { csrf: own }, { Origin: 'https://evil.test' })).status).toBe(403)
    expect((await mine.send(path, path, { csrf: own }, { Origin: 'null' })).status).toBe(403)
    expect((await mine.send(path, path, { csrf: own }, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
    expect((await new Browser().send(path, path, { csrf: own })).status).toBe(403)
  },
)

test.each(['/portal/keys', '/portal/sign-in', '/portal/nowhere'])(
  'security 11, 40, 41: %s cannot be framed or cached, and loads nothing inline or from another origin',
  async (path) => {
    const { headers, text } = await new Browser(await newPerson()).open(path)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(text).not.toMatch(/<style|\sstyle=|<script(?![^>]*\ssrc="\/)|\son\w+=|javascript:/i)
    expect(text).not.toMatch(/(?:src|href)="(?!\/|#)/)
  },
)

test('security 10: the sign-in form is bound to the browser that opened it', async () => {
  const mine = new Browser()
  const opened = await mine.open('/portal/sign-in')
  const fields = { csrf: csrfIn(opened.text), email: 'a@example.com', password: 'correct horse battery' }
  expect((await new Browser().send('', '/portal/sign-in', fields)).status).toBe(403)
  expect((await mine.send('', '/portal/sign-in', fields)).status).toBe(401)
})

test('security 42: cookies are __Host-, Secure, HttpOnly, SameSite=Lax', async () => {
  const browser = new Browser()
  const opened = await browser.open('/portal/sign-up')
  const signedUp = await browser.send(
    '/portal/sign-up',
    '/portal/sign-up',
    { name: 'Ada', email: `ada-${crypto.randomUUID()}@example.com`, password: 'correct horse battery' },
    { 'CF-Connecting-IP': '203.0.113.7' },
  )
  expect({ status: signedUp.status, location: signedUp.headers.get('location') }).toEqual({
    status: 303,
    location: '/portal',
  })
  const set = [...opened.headers.getSetCookie(), ...signedUp.headers.getSetCookie()]
  expect(set.map((cookie) => cookie.split('=')[0])).toEqual([
    '__Host-recollect_visitor',
    '__Host-recollect_session',
    expect.stringMatching(/^__Host-recollect_device_/),
  ])
  for (const cookie of set) expect(cookie).toMatch(/; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
})

test.each([
  ['/portal/projects', '/portal/projects'],
  ['/auth/authorize?client_id=x', '/auth/authorize?client_id=x'],
  ['https://evil.test/', '/portal'],
  ['//evil.test/', '/portal'],
  ['/\\evil.test', '/portal'],
])('security 9: after sign-up, return=%s goes to %s', async (asked, location) => {
  const browser = new Browser()
  const answer = await browser.send(
    `/portal/sign-up?return=${encodeURIComponent(asked)}`,
    '/portal/sign-up',
    {
      return: asked,
      name: 'Ada',
      email: `ada-${crypto.randomUUID()}@example.com`,
      password: 'correct horse battery',
    },
    { 'CF-Connecting-IP': `203.0.113.${10 + asked.length}` },
  )
  expect(answer.headers.get('location')).toBe(location)
})

test('security 41: signing out ends the session on the server', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const out = await browser.send('/portal/keys', '/portal/sign-out')
  expect({ status: out.status, location: out.headers.get('location') }).toEqual({
    status: 303,
    location: '/portal/sign-in',
  })
  expect(browser.cookies.has('__Host-recollect_session')).toBe(false)
  expect((await new Browser(person).open('/portal/keys')).status).toBe(303)
  expect((await call('GET', '/v1/projects', { headers: person.session })).status).toBe(401)
})

const SCRIPT = `<script>alert(1)</script>`
const HOSTILE = `"><img src=x onerror=alert(1)>${SCRIPT}`

test('security 39, 35: names and texts of clients are escaped, with deceptive characters shown by number', async () => {
  const person = await newPerson()
  const { headers, browser } = { headers: person.session, browser: new Browser(person) }
  const name = `${HOSTILE} p\u0430y\u200bpal`
  const project = await call('POST', '/api/projects', {
    headers,
    body: { name, workspace_id: person.workspaceId, description: HOSTILE, icon: SCRIPT },
  })
  const key = await call('POST', '/v1/api-keys', {
    headers,
    body: { name, scopes: ['read:memory'], permissions: [{ project_id: project.body.id, access: 'read' }] },
  })
  await call('PATCH', '/api/users/me', { headers, body: { name } })
  for (const path of [
    '/portal/keys',
    `/portal/keys/${key.body.id}`,
    '/portal/keys/new',
    '/portal/projects',
    `/portal/projects/${project.body.id}`,
    '/portal/settings',
  ]) {
    const { status, text } = await browser.open(path)
    expect(status).toBe(200)
    expect(text).not.toContain('<script>alert')
    expect(text).not.toContain('<img src=x')
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(text).toMatch(
      /p<span class="codepoint"[^>]*>U\+0430<\/span>y<span class="codepoint"[^>]*>U\+200B<\/span>pal/,
    )
  }
})

test('public pages are limited by address', async () => {
  const headers = { 'CF-Connecting-IP': '203.0.113.200' }
  travel(0)
  const statuses = []
  for (let i = 0; i < 61; i += 1) statuses.push((await call('GET', '/portal/sign-in', { headers })).status)
  expect(statuses.slice(0, 60).every((status) => status === 200)).toBe(true)
  const refused = await call('GET', '/portal/sign-in', { headers })
  expect({ last: statuses[60], type: refused.headers.get('content-type') }).toEqual({
    last: 429,
    type: 'text/html; charset=utf-8',
  })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('another method answers 405 with the allowed ones; an unknown page answers 404', async () => {
  const wrong = await call('DELETE', '/portal/keys')
  expect({ status: wrong.status, allow: wrong.headers.get('allow') }).toEqual({ status: 405, allow: 'GET, POST' })
  expect((await call('GET', '/portal/nowhere')).status).toBe(404)
  expect((await call('GET', '/portal/')).headers.get('location')).toBe('/portal')
})
