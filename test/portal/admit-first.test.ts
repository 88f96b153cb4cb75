/** @module-tag long */
import { exports } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { travel } from '../support/clock.ts'
import { newPerson, ORIGIN } from '../support/oauth.ts'
import { Browser } from '../support/portal.ts'
import { call, form, newSession, newTenant, system } from '../support/world.ts'

/** A session cookie with the right form and a wrong checksum. */
const JUNK = `__Host-recollect_session=rcs_${'0'.repeat(54)}`
const UPLOAD = 'multipart/form-data; boundary=x'
let network = 0
const elsewhere = (): string => `2001:db8:f17:${(network += 1).toString(16)}::1`

/** Sends a form whose body never ends: whoever reads it never answers. */
async function unread(path: string, headers: Record<string, string>): Promise<number> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  void writer.write(new TextEncoder().encode('--x')).catch(() => {})
  const request = new Request(`${ORIGIN}${path}`, {
    method: 'POST',
    headers: { Origin: ORIGIN, 'Content-Type': UPLOAD, 'CF-Connecting-IP': elsewhere(), ...headers },
    body: readable,
    redirect: 'manual',
  })
  const { status } = await exports.default.fetch(request)
  await writer.abort().catch(() => {})
  return status
}

async function endedSession(): Promise<string> {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  expect((await call('POST', '/auth/logout', { headers })).status).toBe(204)
  return `__Host-recollect_session=${headers['X-Session-Token']}`
}

test('security 53: a form without a live session is refused unread: no cookie, a made-up one, one that has ended', async () => {
  expect(await unread('/portal/memory/import', {})).toBe(403)
  expect(await unread('/portal/memory/import', { Cookie: JUNK })).toBe(403)
  expect(await unread('/portal/memory/import', { Cookie: await endedSession() })).toBe(303)
  expect(await unread('/auth/authorize?client_id=x', { Cookie: JUNK })).toBe(400)
})

test.each([
  ['without a cookie', async () => null],
  ['with a made-up session', async () => JUNK],
  ['with a session that has ended', endedSession],
])('security 53: pages and forms of a user %s count as unauthenticated calls', async (_, cookieOf) => {
  const [ip, cookie] = [elsewhere(), await cookieOf()]
  const headers = { 'CF-Connecting-IP': ip, ...(cookie === null ? {} : { Cookie: cookie }) }
  const subject = ip.replace('::1', '::/64')
  for (let n = 0; n < 59; n += 1) await system.limiter.acquire('anonymous', subject)
  const page = await call('GET', '/portal/keys', { headers })
  expect({ status: page.status, location: page.headers.get('location') }).toEqual({
    status: 303,
    location: '/portal/sign-in?return=%2Fportal%2Fkeys',
  })
  const refused = await call('GET', '/portal/keys', { headers })
  expect({ status: refused.status, type: refused.headers.get('content-type') }).toEqual({
    status: 429,
    type: 'text/html; charset=utf-8',
  })
  expect(await unread('/portal/memory/import', headers)).toBe(429)
})

test('security 53: an upload of a signed-in user is read after the limit of reads admitted it', async () => {
  const person = await newPerson()
  const token = await system.tokens.parse(person.session['X-Session-Token'])
  const hub = system.hub(person.routingId)
  travel(0)
  for (let n = 0; n < 20; n += 1) {
    await hub.admit({ kind: 'session', tokenHash: token?.hash ?? '', permits: ['read'] })
  }
  expect(await unread('/portal/memory/import', person.cookie)).toBe(429)
})

test('security 34: only an upload may be large: 64 KiB for a form of anybody, 1 MiB for one of a user', async () => {
  const browser = new Browser(await newPerson())
  const text = (size: number) => new File(['x'.repeat(size)], 'a.jsonl')
  const statusOf = async (visitor: Browser, page: string, action: string, size: number) =>
    (await visitor.upload(page, action, {}, text(size))).status
  expect(await statusOf(new Browser(), '/portal/sign-in', '/portal/sign-in', 65_536)).toBe(413)
  expect(await statusOf(browser, '/portal/keys/new', '/portal/keys', 1_048_576)).toBe(413)
  expect(await statusOf(browser, '/portal/memory', '/portal/memory/import', 1_048_576)).not.toBe(413)
})

test('security 18: a token request that cannot even be read counts against its address', async () => {
  const ip = elsewhere()
  const send = (type: string) =>
    call('POST', '/auth/token', { raw: 'x', headers: { 'CF-Connecting-IP': ip, 'Content-Type': type } })
  for (let n = 0; n < 10; n += 1) expect((await send('text/plain')).status).toBe(400)
  expect((await send('text/plain')).status).toBe(429)
  expect((await form('/auth/token', {}, { 'CF-Connecting-IP': ip })).status).toBe(429)
})
