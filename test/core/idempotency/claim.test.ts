import { expect, test } from 'vitest'
import { KEPT_MS, RUNNING_MS, sweepKeys } from '../../../src/core/idempotency/claim.ts'
import { travel } from '../../support/clock.ts'
import { addMember, call, db, newSession, newTenant, system, type Tenant } from '../../support/world.ts'

const send = (headers: Record<string, string>, key: string, tenant: Tenant, name = 'One', path = '/api/projects') =>
  call('POST', path, {
    headers: { ...headers, 'Idempotency-Key': key },
    body: path === '/api/projects' ? { name, workspace_id: tenant.workspaceId } : { name },
  })

async function arrange() {
  const tenant = await newTenant()
  return { tenant, headers: await newSession(tenant) }
}

test('nine requests at once with one key make one thing: the others replay it or are told that it runs', async () => {
  const { tenant, headers } = await arrange()
  const answers = await Promise.all(Array.from({ length: 9 }, () => send(headers, 'k', tenant)))
  const made = answers.filter((one) => one.status === 201)
  expect(made.length).toBeGreaterThanOrEqual(1)
  expect(new Set(made.map((one) => one.body.id)).size).toBe(1)
  for (const one of answers.filter((answer) => answer.status !== 201))
    expect(one).toMatchObject({ status: 409, body: { code: 'idempotency_in_progress' } })
  expect(
    await db.all(`select id from projects where tenant_id = :tenant and name = 'One'`, { tenant: tenant.tenantId }),
  ).toHaveLength(1)
})

test('a replay shows the resource as it is now, and 404 once it is gone', async () => {
  const { tenant, headers } = await arrange()
  const first = await send(headers, 'k', tenant)
  await call('PATCH', `/v1/projects/${first.body.id}`, { headers, body: { description: 'changed' } })
  const replay = await send(headers, 'k', tenant)
  expect(replay).toMatchObject({ status: 201, body: { id: first.body.id, description: 'changed' } })
  expect(replay.headers.get('idempotent-replayed')).toBe('true')
  expect(first.headers.get('idempotent-replayed')).toBeNull()
  await call('DELETE', `/api/projects/${first.body.id}`, { headers })
  expect((await send(headers, 'k', tenant)).status).toBe(404)
})

test('security 28: a key belongs to its tenant, its user and its path', async () => {
  const { tenant, headers } = await arrange()
  const stranger = await newTenant()
  const member = await addMember(tenant, 'editor')
  const first = await send(headers, 'k', tenant)
  const foreign = await send(await newSession(stranger), 'k', stranger)
  const colleague = await send(await newSession(member), 'k', tenant)
  const elsewhere = await send(headers, 'k', tenant, 'One', '/v1/workspaces')
  expect([foreign.status, colleague.status, elsewhere.status]).toEqual([201, 201, 201])
  expect(new Set([first, foreign, colleague].map((one) => one.body.id)).size).toBe(3)
})

test('only 2xx is kept: a request that failed may be sent again with its key', async () => {
  const { tenant, headers } = await arrange()
  const nowhere = { ...tenant, workspaceId: 'wsp_none' }
  expect((await send(headers, 'k', nowhere)).status).toBe(404)
  expect((await send(headers, 'k', tenant)).status).toBe(201)
})

test('another body or query under the same key is 409 idempotency_mismatch', async () => {
  const { tenant, headers } = await arrange()
  await send(headers, 'k', tenant)
  expect((await send(headers, 'k', tenant, 'Two')).body.code).toBe('idempotency_mismatch')
})

test.for(['a b', 'é', 'x'.repeat(256)])('%j is no key: 422', async (key) => {
  const { tenant, headers } = await arrange()
  expect((await send(headers, key, tenant)).status).toBe(422)
})

test.for([
  [-1_000, 409],
  [1_000, 201],
] as const)('an unfinished key %i ms past its 60 s: %i', async ([offset, status]) => {
  const { tenant, headers } = await arrange()
  const first = await send(headers, 'k', tenant)
  await db.write(
    'update idempotency_keys set status = null, resource = null where tenant_id = :tenant and key = :key',
    { tenant: tenant.tenantId, key: 'k' },
  )
  travel(RUNNING_MS + offset)
  const again = await send(headers, 'k', tenant)
  expect(again.status).toBe(status)
  expect(again.body.id).not.toBe(first.body.id)
})

test.for([
  [-1_000, true],
  [1_000, false],
] as const)(
  'a finished key %i ms past its 24 h is replayed: %s; the sweep then erases it',
  async ([offset, replayed]) => {
    const { tenant, headers } = await arrange()
    const first = await send(headers, 'k', tenant)
    travel(KEPT_MS + offset)
    await sweepKeys(db, system.now())
    expect(
      await db.all('select key from idempotency_keys where tenant_id = :tenant', { tenant: tenant.tenantId }),
    ).toHaveLength(replayed ? 1 : 0)
    const again = await send(await newSession(tenant), 'k', tenant)
    expect(again.body.id === first.body.id).toBe(replayed)
  },
)
