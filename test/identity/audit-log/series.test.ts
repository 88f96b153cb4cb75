/** @module-tag shards */
import { expect, test } from 'vitest'
import { bucketOf, BUCKETS } from '../../../src/audit/durations.ts'
import { storeBacklog } from '../../../src/audit/index.ts'
import { iso } from '../../../src/core/values/clock.ts'
import { HOUR, inOneInstant } from '../../support/clock.ts'
import { storeRequests } from '../../support/hours.ts'
import { addKey, addMember, call, db, home, newSession, newTenant, system, type Tenant } from '../../support/world.ts'

const NOON = Date.UTC(2026, 9, 20, 12)
const RANGE = `since=${iso(NOON - 2 * HOUR)}&until=${iso(NOON + HOUR)}`

const series = async (user: Tenant, query = '') =>
  (await call('GET', `/v1/usage/series?${RANGE}${query}`, { headers: await newSession(user) })).body

/** Requests by name over all steps. */
async function totals(user: Tenant, query: string): Promise<Record<string, number>> {
  const sums: Record<string, number> = {}
  for (const { name, requests } of (await series(user, query)).data) sums[name] = (sums[name] ?? 0) + requests
  return sums
}

const buckets = (...durations: number[]): number[] =>
  Array.from({ length: BUCKETS }, (_, bucket) => durations.filter((one) => bucketOf(one) === bucket).length)

test('GET /v1/usage/series answers requests, durations and outcomes by step (contract §4)', async () => {
  const user = await newTenant()
  await storeRequests(
    { user, at: NOON - 1, durations: [4, 30], operation: 'memory.search' },
    { user, at: NOON, durations: [6_000] },
    { user, at: NOON, durations: [1], outcome: 'refused' },
    { user, at: NOON, durations: [1, 1], outcome: 'limited' },
    { user, at: NOON, durations: [2], outcome: 'failed' },
    { user, at: NOON + HOUR, durations: [1] },
  )
  const none = { refusals: 0, limited: 0, failures: 0 }
  const ended = { refusals: 1, limited: 2, failures: 1 }
  const ofNoon = buckets(6_000, 1, 1, 1, 2)
  expect(await series(user)).toMatchObject({
    step: 'hour',
    by: 'operation',
    whose: 'tenant',
    bounds_ms: [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000],
    data: [
      { at: iso(NOON - HOUR), name: 'memory.search', requests: 2, ...none, total_ms: 34, durations: buckets(4, 30) },
      { at: iso(NOON), name: 'memory.store', requests: 5, ...ended, total_ms: 6_005, durations: ofNoon },
    ],
  })
  expect(await totals(user, '&by=outcome')).toEqual({ ok: 3, refused: 1, limited: 2, failed: 1 })
  expect(await totals(user, '&by=project')).toEqual({ [user.projectId]: 3, none: 4 })
  expect((await series(user, '&step=day')).data.map((point: { at: string }) => point.at)).toEqual([
    iso(Date.UTC(2026, 9, 20)),
    iso(Date.UTC(2026, 9, 20)),
  ])
})

test('a credential is a key, an application or a session; the reads of the portal are told apart (contract §4)', async () => {
  const user = await newTenant()
  await storeRequests(
    { user, at: NOON, durations: [1] },
    { user, at: NOON, durations: [1, 1], credential: { kind: 'session', id: 'ses_x' } },
    { user, at: NOON, durations: [1, 1, 1], credential: { kind: 'access', id: 'tok_x', appId: 'app_x' } },
    { user, at: NOON, durations: [1, 1, 1, 1], credential: { kind: 'session', id: 'ses_x' }, pageRead: true },
  )
  const named = { [user.keyId]: 1, session: 2, app_x: 3 }
  expect(await totals(user, '&by=credential')).toEqual({ ...named, portal: 4 })
  expect(await totals(user, '&by=credential&page_reads=exclude')).toEqual(named)
})

test('contract §4: a request that was refused names no project, which is `none`', async () => {
  const user = await newTenant()
  const made = [
    { user, at: NOON, durations: [1] },
    { user, at: NOON, durations: [1, 1], outcome: 'refused' },
    { user, at: NOON, durations: [1, 1, 1], outcome: 'limited' },
    { user, at: NOON, durations: [1, 1, 1, 1], outcome: 'failed' },
    { user, at: NOON, durations: [1, 1, 1, 1, 1], projectId: null },
  ] as const
  await storeRequests(...made.map(({ durations, ...one }) => ({ ...one, durations: [...durations] })))
  expect(await totals(user, '&by=project')).toEqual({ [user.projectId]: 1, none: 14 })
})

test('security 26: the figures of another tenant are not in the series', async () => {
  const [mine, theirs] = [await newTenant(), await newTenant()]
  await storeRequests({ user: theirs, at: NOON, durations: [1] })
  await storeBacklog({ ...system, now: () => NOON }, home, [{ tenant_id: theirs.tenantId, waiting: 5 }])
  expect(await series(mine)).toMatchObject({ data: [], embedding_backlog: [{ at: iso(NOON), waiting: 0 }] })
  expect(await series(theirs)).toMatchObject({ embedding_backlog: [{ at: iso(NOON), waiting: 5 }] })
})

test('security 27: others see their own requests; ids of others are named as in the audit log', async () => {
  const owner = await newTenant()
  const viewer = await addMember(owner, 'viewer')
  const elsewhere = await addMember(owner, 'viewer')
  const made = await call('POST', '/v1/workspaces', { headers: await newSession(elsewhere), body: { name: 'Apart' } })
  await db.write(
    `insert into projects (id, tenant_id, workspace_id, name, description, icon, created_by, created_at, updated_at)
    values ('prj_apart', :tenant, :id, 'Apart', '', '', :user, 0, 0)`,
    { tenant: owner.tenantId, id: made.body.id, user: elsewhere.userId },
  )
  await storeRequests(
    { user: owner, at: NOON, durations: [1] },
    { user: viewer, at: NOON, durations: [1, 1] },
    { user: elsewhere, at: NOON, durations: [1, 1, 1], projectId: 'prj_apart' },
  )
  expect(await series(viewer)).toMatchObject({ whose: 'user', embedding_backlog: null, data: [{ requests: 2 }] })
  expect(await totals(viewer, '&by=credential')).toEqual({ [viewer.keyId]: 2 })
  expect(await totals(owner, '&by=project')).toEqual({ [owner.projectId]: 3, other: 3 })
  expect(await totals(owner, '&by=credential')).toEqual({ [owner.keyId]: 1, [viewer.keyId]: 2, other: 3 })
  expect(await totals(elsewhere, '&by=project')).toEqual({ prj_apart: 3 })
})

test('security 27: a key with permissions sees no series of the account (contract §4)', async () => {
  const tenant = await newTenant()
  const permissions = [{ project_id: tenant.projectId, access: 'write' as const }]
  const { secret } = await addKey(tenant, { permissions })
  const { status, body } = await call('GET', '/v1/usage/series', { key: secret })
  expect([status, body.code]).toEqual([403, 'forbidden'])
})

test('the 20 credentials or projects with the most requests are told apart, and the rest is `other` (contract §4)', async () => {
  const user = await newTenant()
  const names = Array.from({ length: 23 }, (_, nth) => `o${String(nth).padStart(2, '0')}`)
  await storeRequests(
    ...names.map((id, nth) => ({
      user,
      at: NOON,
      operation: id,
      credential: { id },
      durations: Array.from({ length: 30 - nth }, () => 1),
    })),
  )
  expect(Object.keys(await totals(user, ''))).toEqual(names)
  const sums = await totals(user, '&by=credential')
  expect(Object.keys(sums)).toEqual([...names.slice(0, 20), 'other'])
  expect(sums['other']).toBe(10 + 9 + 8)
})

test('without a range it is the last 24 hours', async () => {
  const { key } = await newTenant()
  await inOneInstant(async () => {
    const { body } = await call('GET', '/v1/usage/series', { key })
    expect(Date.parse(body.until) - Date.parse(body.since)).toBe(24 * HOUR)
  })
})

test.for([
  'since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z',
  'since=2026-01-01T00:00:00Z&until=2026-02-01T00:00:00Z',
  'step=5m',
  'by=user',
  'page_reads=only',
])('%s is 422', async (query) => {
  const { key } = await newTenant()
  expect((await call('GET', `/v1/usage/series?${query}`, { key })).status).toBe(422)
})
