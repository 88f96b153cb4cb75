import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SESSION_COOKIE } from '../../src/auth/index.ts'
import { shardForNewTenant } from '../../src/auth/directory/placement.ts'
import type { CallerLocation, Region } from '../../src/core/regions.ts'
import { shardOf } from '../../src/core/shards.ts'
import { csrfIn, ORIGIN } from '../support/oauth.ts'
import { PASSWORD } from '../support/password.ts'
import { callWith, regionsIn, SHARDS } from '../support/shards.ts'
import { addMember, call, newTenant, system } from '../support/world.ts'

const REGIONS = '00:weur,01:enam,02:apac'
const OPEN = { SIGNUPS: 'open', SHARD_REGIONS: REGIONS }
const AMERICA = { continent: 'NA', longitude: '-74.0' }
const directory = system.database('00')

const forget = () => directory.write('delete from shard_states')
beforeEach(forget)
afterEach(forget)

/** What a sweep saw of shards, by now. */
const seen = (states: Record<string, { bytes?: number; usable?: number }>) =>
  directory.batch(
    Object.entries(states).map(([shard, { bytes = 0, usable = 1 }]) =>
      directory.statement(
        'insert into shard_states (shard, seen_at, bytes, audit_bytes, requests, usable) values (:shard, :seen_at, :bytes, 0, 0, :usable)',
        { shard, seen_at: system.now(), bytes, usable },
      ),
    ),
  )

let networks = 0
const newAddress = () => `region-${crypto.randomUUID()}@example.com`
const headersOf = () => ({
  'CF-Connecting-IP': `2001:db8:4e9:${(networks += 1).toString(16)}::1`,
  'Content-Type': 'application/x-www-form-urlencoded',
})

/** A sign-up through the whole Worker; `cf` as Cloudflare tells it. */
async function signUp(
  fields: Record<string, string>,
  { bindings = OPEN, cf = {}, headers = {} }: { bindings?: object; cf?: object; headers?: object } = {},
) {
  const answer = await callWith(bindings, '/auth/register-user', {
    method: 'POST',
    headers: { ...headersOf(), ...headers },
    body: new URLSearchParams({ email: newAddress(), password: PASSWORD, name: 'Ada', ...fields }).toString(),
    cf: cf as IncomingRequestCfProperties,
  })
  return answer
}

/** The shard of whoever signed up. */
async function shardOfUser(answer: Awaited<ReturnType<typeof signUp>>): Promise<string> {
  expect(answer.status).toBe(201)
  const entry = await directory.first<{ routing_id: string }>('select routing_id from directory where email = :email', {
    email: answer.body.user.email,
  })
  return shardOf(entry?.routing_id ?? '')
}

test.each([
  ['weur', '00'],
  ['enam', '01'],
  ['apac', '02'],
])('contract §2: a sign-up that chooses %s is kept there, wherever it comes from', async (region, shard) => {
  const answer = await signUp({ region }, { cf: AMERICA })
  expect(await shardOfUser(answer)).toBe(shard)
  expect(answer.body.user.region).toBe(region)
})

test.each([
  ['New York', { continent: 'NA', longitude: '-74.0' }, '01'],
  ['San Francisco', { continent: 'NA', longitude: '-122.4' }, '01'],
  ['Warsaw', { continent: 'EU', longitude: '21.0' }, '00'],
  ['Tokyo', { continent: 'AS', longitude: '139.7' }, '02'],
  ['Sydney', { continent: 'OC', longitude: '151.2' }, '02'],
  ['São Paulo', { continent: 'SA', longitude: '-46.6' }, '01'],
])('contract §2: without a choice a sign-up from %s goes to the nearest region that there is', async (_, cf, shard) => {
  expect(await shardOfUser(await signUp({}, { cf }))).toBe(shard)
})

test('contract §2: a region whose shards are all closed is passed over, and cannot be chosen', async () => {
  const bindings = { ...OPEN, CLOSED_SHARDS: '01' }
  expect(await shardOfUser(await signUp({}, { bindings, cf: AMERICA }))).toBe('00')
  const refused = await signUp({ region: 'enam' }, { bindings })
  expect(refused).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'region', code: 'region_unavailable', message: expect.stringContaining('weur, apac') }] },
  })
})

test('contract §2: a region that the deployment does not have is 422, for a free address and for a taken one (security 100)', async () => {
  const email = newAddress()
  await signUp({ email })
  for (const address of [email, newAddress()])
    expect(await signUp({ email: address, region: 'oc' })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'region', code: 'region_unavailable' }] },
    })
  for (const region of ['', 'WEUR', 'sam', 'weur,enam', '00', "weur' or 1=1"])
    expect((await signUp({ region })).status, region).toBe(422)
})

test('contract §2: a deployment that names no regions has none to choose, and no answer names one', async () => {
  const bindings = { SIGNUPS: 'open' }
  const answer = await signUp({}, { bindings, cf: AMERICA })
  expect(answer.status).toBe(201)
  expect(answer.body.user).not.toHaveProperty('region')
  const refused = await signUp({ region: 'weur' }, { bindings })
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ code: 'region_unavailable' }] } })
  expect(JSON.stringify(refused.body)).not.toMatch(/Choose one of/)
  const headers = { 'X-Session-Token': String(answer.body.session_token) }
  for (const path of ['/api/users/me', '/v1/usage'])
    expect((await call('GET', path, { headers })).body).not.toHaveProperty('region')
})

test('contract §2: a faulty SHARD_REGIONS names no region, and /ready fails', async () => {
  const bindings = { SIGNUPS: 'open', SHARD_REGIONS: '00:weur,09:enam' }
  expect((await signUp({}, { bindings, cf: AMERICA })).body.user).not.toHaveProperty('region')
  const { status, body } = await callWith(bindings, '/ready')
  expect(status).toBe(503)
  expect(body.checks.configuration.status).toBe('failed')
})

test('contract §2: without a location, as on a laptop, a new tenant goes to the shard with the most room', async () => {
  await seen({ '00': { bytes: 3e9 }, '01': { bytes: 2e9 }, '02': { bytes: 1e9 } })
  for (const cf of [{}, { country: 'T1' }, { continent: 'XX' }]) {
    const answer = await signUp({}, { cf })
    expect([await shardOfUser(answer), answer.body.user.region]).toEqual(['02', 'apac'])
  }
})

test('no header says where a request comes from (security 100)', async () => {
  await seen({ '00': {}, '01': { bytes: 1e9 }, '02': { bytes: 1e9 } })
  const headers = { 'CF-IPContinent': 'AS', 'CF-IPLongitude': '139', 'X-Forwarded-For': '203.0.113.7' }
  expect(await shardOfUser(await signUp({}, { headers }))).toBe('00')
})

test('contract §2: with SIGNUPS=first the one region is that of shard 00', async () => {
  /** Says of the tenants that there is none; the write knows better. */
  const DB = new Proxy(env.DB, {
    get: (real, name) => {
      const member: unknown = Reflect.get(real, name)
      if (typeof member !== 'function') return member
      return (sql: unknown, ...rest: unknown[]) =>
        Reflect.apply(member, real, [
          typeof sql === 'string' && sql.startsWith('select 1 where exists(select 1 from tenants)')
            ? 'select 1 where 0'
            : sql,
          ...rest,
        ])
    },
  })
  await newTenant()
  const bindings = { ...OPEN, SIGNUPS: 'first', DB }
  expect(await signUp({ region: 'enam' }, { bindings })).toMatchObject({
    status: 422,
    body: {
      errors: [{ path: 'region', code: 'region_unavailable', message: expect.stringContaining('one of weur,') }],
    },
  })
  for (const fields of [{ region: 'weur' }, {}])
    expect((await signUp(fields as Record<string, string>, { bindings, cf: AMERICA })).body.code).toBe('forbidden')
})

const choose = (regions: string, closedShards: string[], location: CallerLocation | null, region?: Region) =>
  shardForNewTenant(
    {
      ...system,
      config: { ...system.config, closedShards, shardRegions: regionsIn(regions) },
    },
    { location, region },
  )
const NEW_YORK = { continent: 'NA', longitude: -74 }

test('of several shards in a region the one with the most room gets the tenant', async () => {
  await seen({ '00': { bytes: 2e9 }, '01': { bytes: 1e9 }, '02': {} })
  expect(await choose('00:enam,01:enam,02:weur', [], NEW_YORK)).toBe('01')
  expect(await choose('00:enam,01:enam,02:weur', ['01'], NEW_YORK)).toBe('00')
  expect(await choose('00:enam,01:enam,02:weur', [], null, 'enam')).toBe('01')
})

test('a region whose shards are not well is passed over, but not where it was chosen', async () => {
  await seen({ '00': {}, '01': { usable: 0 }, '02': { usable: 0 } })
  expect(await choose(REGIONS, [], NEW_YORK)).toBe('00')
  expect(await choose(REGIONS, [], null, 'enam')).toBe('01')
  await forget()
  await seen({ '02': { usable: 0 } })
  expect(await choose(REGIONS, [], NEW_YORK)).toBe('01')
})

test('a shard without a region gets a tenant only where no shard with one is open', async () => {
  expect(await choose('00:apac', [], NEW_YORK)).toBe('00')
  expect(await choose('00:apac', ['00'], NEW_YORK)).toBe('01')
})

test('where all shards are closed nobody signs up, with a choice or without', async () => {
  await expect(choose(REGIONS, [...SHARDS], NEW_YORK)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(choose(REGIONS, [...SHARDS], null, 'weur')).rejects.toMatchObject({ code: 'validation_failed' })
})

test('of two sign-ups of one address at once in two regions one gets it', async () => {
  const email = newAddress()
  const answers = await Promise.all(['enam', 'apac'].map((region) => signUp({ email, region })))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]))
  const [made] = answers.filter(({ status }) => status === 201)
  const login = {
    method: 'POST',
    headers: headersOf(),
    body: `username=${encodeURIComponent(email)}&password=${encodeURIComponent(PASSWORD)}`,
  }
  const { body } = await callWith(OPEN, '/auth/login', login)
  const me = await callWith(OPEN, '/api/users/me', { headers: { 'X-Session-Token': body.session_token } })
  expect(me.body).toMatchObject({ id: made?.body.user.id, region: made?.body.user.region })
})

test('contract §2: an invited person joins the tenant where it is, and cannot choose (security 100)', async () => {
  const tenant = await newTenant({ shard: '01' })
  const email = newAddress()
  const { body } = await call('POST', `/v1/workspaces/${tenant.workspaceId}/members`, {
    key: tenant.key,
    body: { email, role: 'editor' },
  })
  const invitation = new URL(body.invitation_url).searchParams.get('invitation') ?? ''
  for (const region of ['apac', 'enam'])
    expect(await signUp({ email, invitation, region }, { cf: { continent: 'AS' } })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'region', code: 'region_of_tenant' }] },
    })
  const joined = await signUp({ email, invitation }, { cf: { continent: 'AS' } })
  expect(await shardOfUser(joined)).toBe('01')
  // Whoever joins does not own the tenant.
  expect(joined.body.user).not.toHaveProperty('region')
})

test('contract §4: users/me names the region for the owner of the tenant, and /v1/usage for who sees the tenant', async () => {
  const owner = await newTenant({ shard: '01' })
  const viewer = await addMember(owner, 'viewer')
  const read = (path: string, key: string, bindings: object = OPEN) =>
    callWith(bindings, path, { headers: { 'X-API-Key': key } })
  expect((await read('/api/users/me', owner.key)).body.region).toBe('enam')
  expect((await read('/v1/usage', owner.key)).body).toMatchObject({ whose: 'tenant', region: 'enam' })
  expect((await read('/api/users/me', viewer.key)).body).not.toHaveProperty('region')
  const usage = (await read('/v1/usage', viewer.key)).body
  expect(usage.whose).toBe('user')
  expect(usage).not.toHaveProperty('region')
  // A change of the profile answers the same.
  const changed = await callWith(OPEN, '/api/users/me', {
    method: 'PATCH',
    headers: { 'X-API-Key': owner.key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Grace' }),
  })
  expect(changed.body).toMatchObject({ name: 'Grace', region: 'enam' })
  // A shard that has no region names none.
  expect((await read('/api/users/me', owner.key, { SHARD_REGIONS: '00:weur' })).body).not.toHaveProperty('region')
})

/** The page of the sign-up, and the form of it sent. */
async function portal(bindings: object, fields?: Record<string, string>, cf = {}) {
  const headers = headersOf()
  const page = await callWith(bindings, '/portal/sign-up', { headers })
  if (!fields) return page
  const cookie = page.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  return callWith(bindings, '/portal/sign-up', {
    method: 'POST',
    headers: { ...headers, Cookie: cookie, Origin: ORIGIN },
    body: new URLSearchParams({
      csrf: csrfIn(page.text),
      name: 'Ada',
      email: newAddress(),
      password: PASSWORD,
      ...fields,
    }).toString(),
    cf: cf as IncomingRequestCfProperties,
    redirect: 'manual',
  })
}

/** The region that the portal shows to whoever signed up. */
async function shownTo(answer: Awaited<ReturnType<typeof portal>>): Promise<string | undefined> {
  expect(answer.status).toBe(303)
  const session = answer.headers.getSetCookie().find((one) => one.startsWith(`${SESSION_COOKIE}=`))
  const headers = { Cookie: session?.split(';')[0] ?? '' }
  const { text: usage } = await callWith(OPEN, '/portal/usage', { headers })
  const { text: settings } = await callWith(OPEN, '/portal/settings', { headers })
  const [, name, region] = /Stored in ([^(]+) \(<code>(\w+)<\/code>\)/.exec(usage) ?? []
  expect(settings).toContain(`<dd>${name}</dd>`)
  return region
}

test('the portal offers the regions that are open, and shows where an account is kept', async () => {
  const { text } = await portal(OPEN)
  const options = [...text.matchAll(/<option value="(\w*)"[^>]*>([^<]+)</g)].map(([, value, label]) => [value, label])
  expect(options).toEqual([
    ['', 'Nearest to you'],
    ['weur', 'Western Europe'],
    ['enam', 'Eastern North America'],
    ['apac', 'Asia and Pacific'],
  ])
  expect(await shownTo(await portal(OPEN, { region: 'apac' }, AMERICA))).toBe('apac')
  expect(await shownTo(await portal(OPEN, { region: '' }, AMERICA))).toBe('enam')
  const closed = await portal({ ...OPEN, CLOSED_SHARDS: '02' }, { region: 'apac' })
  expect(closed.status).toBe(422)
  expect(closed.text).toContain('This region does not accept new accounts.')
  expect(closed.text).toMatch(
    /<select [^>]*aria-describedby="field-region-hint field-region-error"[^>]*aria-invalid="true"/,
  )
})

test('the portal shows no region where there is one or none, for the first account, and for whoever is invited', async () => {
  for (const bindings of [
    { SIGNUPS: 'open' },
    { ...OPEN, CLOSED_SHARDS: '01,02' },
    { ...OPEN, SIGNUPS: 'first' },
    { ...OPEN, SIGNUPS: 'closed' },
  ])
    expect((await portal(bindings)).text).not.toContain('name="region"')
  const invited = await callWith(OPEN, '/portal/sign-up?invitation=rci_x', { headers: headersOf() })
  expect(invited.text).toContain('name="invitation"')
  expect(invited.text).not.toContain('name="region"')
})
