/** @module-tag long */
import { expect, test } from 'vitest'
import type { Meter } from '../../../src/core/database/meter.ts'
import { usage, UsageInput } from '../../../src/memory/operations/usage.ts'
import { inOneInstant } from '../../support/clock.ts'
import { ctxOf, embedded } from '../../support/search.ts'
import { until } from '../../support/until.ts'
import { addKey, addMember, call, db, newSession, newTenant, type Tenant } from '../../support/world.ts'

test('GET /v1/usage counts requests, refusals and 429s by operation, and tells the stock', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const usage = async () => (await call('GET', '/v1/usage?step=5m', { headers: await newSession(tenant) })).body
  // The buffer belongs to the isolate: once a count shows, no request of another test carries it.
  await until(async () => expect((await usage()).data).not.toEqual([]), { everyMs: 300 })
  await call('GET', '/v1/projects/prj_none', { headers })
  // A key has five requests a second; the sixth of these is a 429.
  const burst = await inOneInstant(() =>
    Promise.all(Array.from({ length: 6 }, () => call('GET', '/v1/projects', { key: tenant.key }))),
  )
  expect(burst.filter((answer) => answer.status === 429)).toHaveLength(1)
  await until(
    async () => {
      const body = await usage()
      const totals: Record<string, number[]> = {}
      for (const { operation, requests, refusals, limited } of body.data) {
        // Two points where five minutes ended meanwhile.
        const before = totals[operation] ?? [0, 0, 0]
        totals[operation] = [requests, refusals, limited].map((count, at) => count + (before[at] ?? 0))
      }
      expect(totals).toMatchObject({ 'projects.get': [1, 1, 0], 'projects.list': [6, 0, 1] })
      expect(body).toMatchObject({
        whose: 'tenant',
        items: { used: 0, quota: null },
        projects: { used: 1, quota: null },
        embeddings_pending: 0,
      })
    },
    { everyMs: 300 },
  )
  const viewer = await addMember(tenant, 'viewer')
  const own = await call('GET', '/v1/usage', { key: viewer.key })
  expect(own.body).toMatchObject({ whose: 'user', step: 'hour', data: [] })
})

test.for([
  'since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z',
  'since=2026-01-01T00:00:00Z&until=2026-02-01T00:00:00Z&step=5m',
  'step=minute',
])('%s is 422', async (query) => {
  const { key } = await newTenant()
  expect((await call('GET', `/v1/usage?${query}`, { key })).status).toBe(422)
})

test('the stock is read from counts, however many items there are', async () => {
  const user = await newTenant()
  await embedded(
    ctxOf(user),
    Array.from({ length: 200 }, (_, nth) => `Text ${nth}.`),
  )
  const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const { items } = await usage(ctxOf(user, { db: db.metered(meter) }), UsageInput.parse({}))
  expect(items.used).toBe(200)
  expect(meter.rowsRead).toBeLessThan(100)
})

test('security 27: a key with permissions sees no figures of the account (contract §4)', async () => {
  const tenant = await newTenant()
  for (const limits of [{}, { namespaces: ['a'] }]) {
    const permission = { project_id: tenant.projectId, access: 'write' as const, ...limits }
    const { secret } = await addKey(tenant, { permissions: [permission] })
    const { status, body } = await call('GET', '/v1/usage', { key: secret })
    expect([status, body.code]).toEqual([403, 'forbidden'])
  }
})

test('security 27: a workspace that one made gives no view of the tenant; one of its owner does', async () => {
  const tenant = await newTenant()
  await embedded(ctxOf(tenant), ['A text.', 'Another text.'])
  const viewer = await addMember(tenant, 'viewer')
  const stranger = await addMember(tenant, null)
  const made = await call('POST', '/v1/workspaces', { headers: await newSession(viewer), body: { name: 'Mine' } })
  expect(made.status).toBe(201)
  const seen = async (user: Tenant) => {
    const { body } = await call('GET', '/v1/usage', { headers: await newSession(user) })
    return { whose: body.whose, items: body.items.used, projects: body.projects.used }
  }
  expect(await seen(viewer)).toEqual({ whose: 'user', items: 2, projects: 1 })
  expect(await seen(stranger)).toEqual({ whose: 'user', items: 0, projects: 0 })
  expect(await seen(await addMember(tenant, 'admin'))).toMatchObject({ whose: 'tenant', items: 2 })
  // Who manages a workspace of the viewer manages nothing of the tenant.
  await db.write(
    `insert into workspace_members (workspace_id, user_id, tenant_id, role, created_at) values (:id, :user, :tenant, 'owner', 0)`,
    { id: made.body.id, user: stranger.userId, tenant: tenant.tenantId },
  )
  expect(await seen(stranger)).toMatchObject({ whose: 'user', items: 0 })
  await db.write('delete from workspace_members where user_id = :user', { user: tenant.userId })
  expect(await seen(tenant)).toMatchObject({ whose: 'tenant', items: 2 })
})
