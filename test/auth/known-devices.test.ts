/** @module-tag long */
import { expect, test } from 'vitest'
import { sessionSweep } from '../../src/auth/index.ts'
import { sha256 } from '../../src/core/values/hash.ts'
import { DAY, travel } from '../support/clock.ts'
import { expectAudited } from '../support/oauth.ts'
import { givePassword, PASSWORD } from '../support/password.ts'
import { Browser } from '../support/portal.ts'
import { until } from '../support/until.ts'
import { addMember, call, db, form, newSession, newTenant, system, type Answer, type Tenant } from '../support/world.ts'

let network = 0

/** An address in a network of its own. */
const elsewhere = (): string => `2001:db8:a77a:${(network += 1).toString(16)}::1`

async function newAccount(): Promise<Tenant> {
  const tenant = await newTenant()
  await givePassword(tenant)
  return tenant
}

interface From {
  ip?: string
  device?: string
  password?: string
}

const enter = ({ email }: { email: string }, { ip = elsewhere(), device, password = PASSWORD }: From = {}) =>
  form(
    '/auth/login',
    { username: email, password, ...(device === undefined ? {} : { device_token: device }) },
    { 'CF-Connecting-IP': ip },
  )

const WRONG = 'wrong wrong wrong'

/** Strangers use up what all unknown devices and networks share of an account, without the cost of their hashes. */
async function attack({ email }: { email: string }): Promise<void> {
  const subject = await sha256(email)
  for (let n = 0; n < 30; n++) await system.limiter.acquire('login.unknown', subject)
}

const plain = ({ status, headers, body }: Answer) => ({
  status,
  headers: [...headers.keys()].filter((name) => name !== 'x-request-id').sort(),
  policy: headers.get('ratelimit-policy'),
  retryAfter: headers.get('retry-after'),
  body: { ...body, request_id: '' },
})

test('security 43: strangers delay an unknown device alone: a known device and a known network still log in', async () => {
  const tenant = await newAccount()
  const home = elsewhere()
  const first = await enter(tenant, { ip: home })
  expect(first).toMatchObject({ status: 200, body: { device_token: expect.stringMatching(/^rcd_/) } })
  await attack(tenant)
  const stranger = await enter(tenant)
  expect(stranger).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect(Number(stranger.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  await expectAudited(tenant.tenantId, ['auth.login rate_limited'])
  // The device from a new network, and the network without the device.
  expect((await enter(tenant, { device: first.body.device_token })).status).toBe(200)
  expect((await enter(tenant, { ip: home })).status).toBe(200)
  // Another address of the same /64.
  expect((await enter(tenant, { ip: home.replace('::1', ':ffff::9') })).status).toBe(200)
  travel(3_600_000)
  expect((await enter(tenant)).status).toBe(200)
})

test('security 43: all unknown devices of an account share thirty wrong logins in an hour, from however many networks', async () => {
  const tenant = await newAccount()
  travel(0)
  const subject = await sha256(tenant.email)
  for (let n = 0; n < 29; n++) await system.limiter.acquire('login.unknown', subject)
  expect((await enter(tenant, { password: WRONG })).status).toBe(401)
  expect((await enter(tenant)).status).toBe(429)
  travel(3_600_000 - 1)
  expect((await enter(tenant)).status).toBe(429)
  travel(1)
  expect((await enter(tenant)).status).toBe(200)
})

test('security 43: whoever holds a device token guesses ten times in ten minutes, from however many networks', async () => {
  const tenant = await newAccount()
  const home = elsewhere()
  const { body } = await enter(tenant, { ip: home })
  const device = body.device_token
  travel(0)
  const subject = await sha256(`${tenant.email} device ${await sha256(device)}`)
  for (let n = 0; n < 9; n++) await system.limiter.acquire('password', subject)
  expect((await enter(tenant, { device, password: WRONG })).status).toBe(401)
  const tenth = await enter(tenant, { device })
  expect(tenth.status).toBe(429)
  expect(tenth.headers.get('ratelimit-policy')).toBe('"password";q=10;w=600')
  // The thief holds up neither the owner's network nor a device without the token.
  expect((await enter(tenant, { ip: home })).status).toBe(200)
  expect((await enter(tenant)).status).toBe(200)
  travel(600_000)
  expect((await enter(tenant, { device })).status).toBe(200)
})

test('security 43: one network guesses ten times in ten minutes at one account, known or not', async () => {
  const tenant = await newAccount()
  const home = elsewhere()
  await enter(tenant, { ip: home })
  for (const ip of [home, elsewhere()]) {
    const subject = await sha256(`${tenant.email} network ${ip.replace('::1', '::/64')}`)
    for (let n = 0; n < 10; n++) await system.limiter.acquire('password', subject)
    expect((await enter(tenant, { ip })).headers.get('ratelimit-policy')).toBe('"password";q=10;w=600')
  }
  expect((await enter(tenant)).status).toBe(200)
})

test('a known device keeps its token, and a logout leaves it known', async () => {
  const tenant = await newAccount()
  const { body } = await enter(tenant)
  const device = body.device_token
  const again = await enter(tenant, { device })
  expect(again.body.device_token).toBe(device)
  expect((await enter(tenant)).body.device_token).not.toBe(device)
  for (const token of [body.session_token, again.body.session_token])
    expect((await call('POST', '/auth/logout', { headers: { 'X-Session-Token': token } })).status).toBe(204)
  await attack(tenant)
  expect((await enter(tenant, { device })).status).toBe(200)
})

test('a new password makes every device unknown, and every network but that of the session that changed it', async () => {
  const tenant = await newAccount()
  const [home, office] = [elsewhere(), elsewhere()]
  const mine = await enter(tenant, { ip: home })
  const other = await enter(tenant, { ip: office })
  const password = 'staple or something else'
  const changed = await call('POST', '/v1/users/me/password', {
    headers: { 'X-Session-Token': mine.body.session_token },
    body: { current_password: PASSWORD, new_password: password },
  })
  expect(changed.status).toBe(204)
  await attack(tenant)
  for (const { body } of [mine, other])
    expect((await enter(tenant, { device: body.device_token, password })).status).toBe(429)
  expect((await enter(tenant, { ip: office, password })).status).toBe(429)
  const back = await enter(tenant, { ip: home, device: mine.body.device_token, password })
  expect(back.status).toBe(200)
  expect(back.body.device_token).not.toBe(mine.body.device_token)
})

/** A member whose password is forgotten, with the token of a reset link. */
async function newReset(): Promise<{ member: Tenant; token: string }> {
  const owner = await newTenant()
  const member = await addMember(owner, 'viewer')
  await db.write('insert into directory (email, routing_id, user_id) values (:email, :routing_id, :user)', {
    email: member.email,
    routing_id: member.routingId,
    user: member.userId,
  })
  await givePassword(member)
  const link = await call('POST', `/v1/workspaces/${owner.workspaceId}/members/${member.userId}/reset-link`, {
    headers: await newSession(owner),
  })
  return { member, token: new URL(link.body.reset_url).searchParams.get('token') ?? '' }
}

test('a reset makes every device and network unknown that was known before', async () => {
  const { member, token } = await newReset()
  const home = elsewhere()
  const before = await enter(member, { ip: home })
  expect(before.status).toBe(200)
  const password = 'staple or something else'
  expect((await form('/auth/reset-password', { token, password })).status).toBe(200)
  await attack(member)
  expect((await enter(member, { ip: home, device: before.body.device_token, password })).status).toBe(429)
})

test('security 43: strangers do not delay a person who redeemed a reset link: that device and network are known', async () => {
  const { member, token } = await newReset()
  await attack(member)
  const [home, password] = [elsewhere(), 'staple or something else']
  const reset = await form('/auth/reset-password', { token, password }, { 'CF-Connecting-IP': home })
  expect(reset).toMatchObject({ status: 200, body: { device_token: expect.stringMatching(/^rcd_/) } })
  expect(Object.keys(reset.body)).toEqual(['device_token'])
  expect((await enter(member, { password })).status).toBe(429)
  const back = await enter(member, { ip: home, password })
  expect(back.status).toBe(200)
  const device = reset.body.device_token
  const moved = await enter(member, { device, password })
  expect(moved).toMatchObject({ status: 200, body: { device_token: device } })
  // The link opened no session.
  const headers = { 'X-Session-Token': moved.body.session_token }
  expect((await call('GET', '/v1/sessions', { headers })).body.data).toHaveLength(2)
})

test('the first login after a reset is one from a new device, also where the link was redeemed there', async () => {
  const { member, token } = await newReset()
  await enter(member)
  const [from, password] = [{ 'User-Agent': 'one that came by the link' }, 'staple or something else']
  expect((await form('/auth/reset-password', { token, password }, from)).status).toBe(200)
  expect((await form('/auth/login', { username: member.email, password }, from)).status).toBe(200)
  const notices = await db.all<{ data: string }>('select data from events where targets = :targets', {
    targets: JSON.stringify([member.userId]),
  })
  expect(notices.map(({ data }) => JSON.parse(data).code)).toContain('session.new_device')
})

test('a refused reset link makes nothing known', async () => {
  const { member, token } = await newReset()
  const [home, password] = [elsewhere(), 'staple or something else']
  const from = { 'CF-Connecting-IP': home }
  expect((await form('/auth/reset-password', { token, password: 'short' }, from)).status).toBe(422)
  expect((await form('/auth/reset-password', { token: `${token}x`, password }, from)).status).toBe(422)
  await attack(member)
  expect((await enter(member, { ip: home })).status).toBe(429)
})

test('security 43: the portal keeps the device that redeemed a reset link until it signs in', async () => {
  const { member, token } = await newReset()
  await attack(member)
  const [browser, password] = [new Browser(), 'staple or something else']
  const sent = (path: string, fields: Record<string, string>) =>
    browser.send(path, path, fields, { 'CF-Connecting-IP': elsewhere() })
  expect((await sent('/portal/reset-password', { token, password })).status).toBe(303)
  const signedIn = await sent('/portal/sign-in', { email: member.email, password })
  expect(signedIn.status).toBe(303)
  expect(signedIn.headers.getSetCookie().join()).toContain('__Host-recollect_reset_device=; Max-Age=0')
})

test('security 17, 44: a device token proves nothing for another account and is a credential nowhere', async () => {
  const [mine, theirs] = [await newAccount(), await newAccount()]
  const device = (await enter(mine)).body.device_token
  await attack(theirs)
  for (const odd of [device, `${device}x`, 'rcd_x', '', 'ö\u0001', (await enter(mine)).body.session_token])
    expect((await enter(theirs, { device: odd })).status).toBe(429)
  for (const header of ['X-API-Key', 'X-Session-Token', 'Authorization']) {
    const value = header === 'Authorization' ? `Bearer ${device}` : device
    expect((await call('GET', '/v1/projects', { headers: { [header]: value } })).body.code).toBe('invalid_token')
  }
  const stored = await db.all('select * from sessions where user_id = :user', { user: mine.userId })
  expect(JSON.stringify(stored)).not.toMatch(/rcd_|2001:db8/)
})

test('security 44: an attacked address answers alike whether there is an account or not', async () => {
  const tenant = await newAccount()
  const nobody = { email: `nobody-${crypto.randomUUID()}@example.com` }
  travel(0)
  const answers = async (device?: string) => {
    const from = device === undefined ? {} : { device }
    return [await enter(tenant, { ...from, password: WRONG }), await enter(nobody, { ...from, password: WRONG })].map(
      plain,
    )
  }
  const foreign = (await enter(await newAccount())).body.device_token
  const [known, unknown] = await answers(foreign)
  expect(known).toEqual(unknown)
  expect(known?.status).toBe(401)
  for (const account of [tenant, nobody]) await attack(account)
  const [limited, alike] = await answers(foreign)
  expect(limited).toEqual(alike)
  expect(limited).toMatchObject({ status: 429, policy: '"login.unknown";q=30;w=3600' })
})

test('security 42: the portal keeps the device of each account in a cookie, which outlives the session', async () => {
  const [tenant, other] = [await newAccount(), await newAccount()]
  const browser = new Browser()
  const signIn = ({ email }: Tenant) =>
    browser.send(
      '/portal/sign-in',
      '/portal/sign-in',
      { email, password: PASSWORD },
      { 'CF-Connecting-IP': elsewhere() },
    )
  const signedIn = await signIn(tenant)
  expect(signedIn.status).toBe(303)
  const cookies = signedIn.headers.getSetCookie()
  expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual([
    '__Host-recollect_session',
    expect.stringMatching(/^__Host-recollect_device_[0-9a-f]{16}$/),
  ])
  expect(cookies[1]).toMatch(/=rcd_[a-z0-9]+; Max-Age=7776000; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  expect((await browser.send('/portal/keys', '/portal/sign-out')).status).toBe(303)
  expect((await signIn(other)).status).toBe(303)
  expect((await browser.send('/portal/keys', '/portal/sign-out')).status).toBe(303)
  await attack(tenant)
  expect((await signIn(tenant)).status).toBe(303)
  expect(
    (
      await new Browser().send(
        '/portal/sign-in',
        '/portal/sign-in',
        { email: tenant.email, password: PASSWORD },
        { 'CF-Connecting-IP': elsewhere() },
      )
    ).status,
  ).toBe(429)
})

test('a device and a network are known until 90 days after the end of their last session', async () => {
  travel(0)
  const tenant = await newAccount()
  const home = elsewhere()
  const { body } = await enter(tenant, { ip: home })
  travel(91 * DAY - 1_000)
  await sessionSweep.run(system)
  await attack(tenant)
  expect((await enter(tenant, { device: body.device_token })).status).toBe(200)
  await db.write('delete from sessions where user_id = :user and created_at > :created_at', {
    user: tenant.userId,
    created_at: system.now() - DAY,
  })
  expect((await enter(tenant, { ip: home })).status).toBe(200)
  await db.write('delete from sessions where user_id = :user and created_at > :created_at', {
    user: tenant.userId,
    created_at: system.now() - DAY,
  })
  travel(2_000)
  await until(async () => {
    await sessionSweep.run(system)
    expect(await db.all('select id from sessions where user_id = :user', { user: tenant.userId })).toEqual([])
  })
  expect((await enter(tenant, { ip: home, device: body.device_token })).status).toBe(429)
})
