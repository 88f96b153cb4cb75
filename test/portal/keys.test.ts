/** @module-tag long */
import { expect, test } from 'vitest'
import { SCOPES } from '../../src/core/context.ts'
import { shiftClock } from '../../src/core/values/clock.ts'
import { newPerson } from '../support/oauth.ts'
import { Browser } from '../support/portal.ts'
import { call, newSession } from '../support/world.ts'

const DAY_MS = 86_400_000
const fields = { name: 'Support bot', environment: 'live', scope: 'read:memory', reach: 'all', expiry: '90', owner: '' }
const secretIn = (text: string): string | undefined => /rck_(?:live|test)_[0-9a-z]{54}/.exec(text)?.[0]
const onceIn = (text: string): string => /name="once" value="([^"]+)"/.exec(text)?.[1] ?? ''

test('security 41: a new key is shown once, in no URL, and never again on reload', async () => {
  const browser = new Browser(await newPerson())
  const made = await browser.send('/portal/keys/new', '/portal/keys', fields)
  const location = made.headers.get('location') ?? ''
  expect({ status: made.status, location, text: made.text }).toEqual({
    status: 303,
    location: expect.stringMatching(/^\/portal\/keys\/key_[0-9A-Z]{26}$/),
    text: '',
  })
  expect(made.headers.getSetCookie().join()).not.toMatch(/rck_/)
  const shown = await browser.open(location)
  const secret = secretIn(shown.text)
  expect(shown.text).toContain('Copy your key now')
  expect((await call('GET', '/v1/projects', { key: secret ?? '' })).status).toBe(403)
  for (const path of [location, '/portal/keys']) expect(secretIn((await browser.open(path)).text)).toBeUndefined()
})

test("another user's browser cannot open a flash that carries a secret", async () => {
  const [mine, theirs] = [new Browser(await newPerson()), new Browser(await newPerson())]
  const made = await mine.send('/portal/keys/new', '/portal/keys', fields)
  theirs.cookies.set('__Host-recollect_flash', mine.cookies.get('__Host-recollect_flash') ?? '')
  expect((await theirs.open(made.headers.get('location') ?? '')).status).toBe(404)
  expect(secretIn((await theirs.open('/portal/keys')).text)).toBeUndefined()
})

test('the command line on the page works unchanged', async () => {
  const browser = new Browser(await newPerson())
  const made = await browser.send('/portal/keys/new', '/portal/keys', { ...fields, scope: 'write:memory' })
  const { text } = await browser.open(made.headers.get('location') ?? '')
  const lines = text.replaceAll('&quot;', '"').replaceAll('&#39;', "'")
  expect(lines).toContain('curl http://recollect.test/api/memory/store')
  const [, body = ''] = /-d '(\{.*?\})'/.exec(lines) ?? []
  const stored = await call('POST', '/api/memory/store', { key: secretIn(text) ?? '', body: JSON.parse(body) })
  expect(stored.status).toBe(201)
})

test.each([
  ['', ['read:memory', 'write:memory']],
  ['?preset=events', ['read:memory', 'read:events', 'write:events']],
  ['?preset=read-only', ['read:memory', 'read:projects', 'read:profile', 'read:events', 'read:audit']],
  ['?preset=admin', [...SCOPES]],
  ['?preset=nonsense', ['read:memory', 'write:memory']],
])('without a script the address names the preset of a new key: "%s" checks %j', async (query, scopes) => {
  const { text } = await new Browser(await newPerson()).open(`/portal/keys/new${query}`)
  const checked = [...text.matchAll(/name="scope" value="([^"]+)" checked/g)].map(([, scope]) => scope)
  expect(checked).toEqual(scopes)
})

test('a form that is sent twice creates one key', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const once = onceIn((await browser.open('/portal/keys/new')).text)
  const first = await browser.send('/portal/keys/new', '/portal/keys', { ...fields, once })
  const second = await browser.send('/portal/keys/new', '/portal/keys', { ...fields, once })
  expect(second.headers.get('location')).toBe(first.headers.get('location'))
  const again = await browser.open(second.headers.get('location') ?? '')
  expect(again.text).toContain('its secret was shown at that time')
  const { body } = await call('GET', '/v1/api-keys', { headers: person.session })
  expect(body.data.filter((key: { name: string }) => key.name === 'Support bot')).toHaveLength(1)
})

test('a key expires after 90 days by default; no expiry needs a confirmation', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  expect((await browser.open('/portal/keys/new')).text).toMatch(/value="90" checked/)
  const asked = await browser.send('/portal/keys/new', '/portal/keys', { ...fields, expiry: 'never' })
  expect(asked.status).toBe(422)
  expect(asked.text).toContain('A key that never expires?')
  const sure = { ...fields, expiry: 'never', confirm_never: 'on' }
  const made = await browser.send('/portal/keys/new', '/portal/keys', sure)
  await browser.open(made.headers.get('location') ?? '')
  const warned = await browser.open(made.headers.get('location') ?? '')
  expect(warned.text).toContain('This key never expires.')
})

test('a key that nobody uses for 90 days is marked as stale', async () => {
  const person = await newPerson()
  await new Browser(person).send('/portal/keys/new', '/portal/keys', { ...fields, expiry: '365' })
  shiftClock(91 * DAY_MS)
  try {
    const login = await newSession(person)
    const browser = new Browser({ cookie: { Cookie: `__Host-recollect_session=${login['X-Session-Token']}` } })
    expect((await browser.open('/portal/keys')).text).toContain('Stale')
  } finally {
    shiftClock(-91 * DAY_MS)
  }
})

test('typed values stay, and each error is shown at its field', async () => {
  const browser = new Browser(await newPerson())
  const { status, text } = await browser.send('/portal/keys/new', '/portal/keys', { ...fields, name: 'x'.repeat(121) })
  expect(status).toBe(422)
  expect(text).toContain('x'.repeat(121))
  expect(text).toMatch(/aria-describedby="field-name-hint field-name-error" aria-invalid="true"/)
  expect(text).toContain('must have 1 to 120 characters.')
})

test('a key for one project is limited to it; rotation and revocation take effect at the next request', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const made = await browser.send('/portal/keys/new', '/portal/keys', {
    ...fields,
    scope: 'read:projects',
    reach: 'some',
    project: person.projectId,
    [`access:${person.projectId}`]: 'read',
    [`namespaces:${person.projectId}`]: 'support, billing',
  })
  const page = made.headers.get('location') ?? ''
  const old = secretIn((await browser.open(page)).text) ?? ''
  expect((await call('GET', `/v1/projects/${person.projectId}`, { key: old })).status).toBe(200)
  const { body } = await call('GET', `/v1${page.replace('/portal/keys', '/api-keys')}`, { headers: person.session })
  expect(body.permissions).toEqual([
    { project_id: person.projectId, access: 'read', namespaces: ['support', 'billing'] },
  ])

  const rotated = await browser.send(page, `${page}/rotate`, { overlap_seconds: '0' })
  const next = rotated.headers.get('location') ?? ''
  const fresh = secretIn((await browser.open(next)).text) ?? ''
  expect((await call('GET', '/v1/projects', { key: old })).status).toBe(401)
  expect((await call('GET', '/v1/projects', { key: fresh })).status).toBe(200)
  const revoked = await browser.send(next, `${next}/revoke`)
  expect({ text: revoked.text, location: revoked.headers.get('location') }).toEqual({
    text: '',
    location: '/portal/keys',
  })
  expect((await call('GET', '/v1/projects', { key: fresh })).status).toBe(401)
  // It stays in the list, greyed, and its page offers nothing more to do.
  const id = next.split('/').at(-1)
  expect((await browser.open('/portal/keys')).text).toMatch(
    new RegExp(`<tr class="faded">(?:(?!</tr>).)*/portal/keys/${id}"`, 's'),
  )
  const ended = (await browser.open(next)).text
  expect(ended).toMatch(/Revoked<\/dt><dd><time/)
  expect(ended).not.toMatch(/\/revoke"|\/rotate"/)
})
