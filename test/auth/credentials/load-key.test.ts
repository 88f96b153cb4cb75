/** @module-tag shards */
import { expect, test } from 'vitest'
import { loadKey } from '../../../src/auth/credentials/load-key.ts'
import { SCOPES } from '../../../src/core/context.ts'
import { sha256 } from '../../../src/core/values/hash.ts'
import type { Meter } from '../../../src/core/database/meter.ts'
import { setLimits } from '../../support/operator.ts'
import { addKey, db, newTenant } from '../../support/world.ts'

test('a key acts as its owner, in the default project of its owner', async () => {
  const tenant = await newTenant()
  const { id, secret } = await addKey(tenant, { environment: 'test' })
  expect((await loadKey(db, await sha256(secret)))?.credential).toEqual({
    expiresAt: null,
    resource: null,
    principal: {
      userId: tenant.userId,
      tenantId: tenant.tenantId,
      routingId: tenant.routingId,
      kind: 'person',
      credential: { kind: 'key', id, environment: 'test', appId: null, grantId: null },
      scopes: SCOPES,
      permissions: null,
      defaultProjectId: tenant.projectId,
    },
  })
})

test('contract §3: a key that is limited to one project has it for its default project; one that is limited to two has neither', async () => {
  const tenant = await newTenant()
  const permissions = ['prj_1', 'prj_2'].map((project_id) => ({ project_id, access: 'read' as const }))
  const defaultOf = async (count: number) => {
    const { secret } = await addKey(tenant, { permissions: permissions.slice(0, count) })
    return (await loadKey(db, await sha256(secret)))?.credential.principal.defaultProjectId
  }
  expect([await defaultOf(1), await defaultOf(2)]).toEqual(['prj_1', tenant.projectId])
})

test.each([
  [null, null, null],
  [5, null, 5],
  [null, 7, 7],
  [5, 7, 5],
  [7, 5, 5],
])('expiry %s and revocation %s: it ends at %s', async (expiresAt, revokedAt, end) => {
  const { id, secret } = await addKey(await newTenant())
  await db.write('update api_keys set expires_at = :expires_at, revoked_at = :revoked_at where id = :id', {
    expires_at: expiresAt,
    revoked_at: revokedAt,
    id,
  })
  expect((await loadKey(db, await sha256(secret)))?.credential.expiresAt).toBe(end)
})

test('an unknown key and the key of a deleted user are null', async () => {
  const tenant = await newTenant()
  expect(await loadKey(db, await sha256('nobody'))).toBeNull()
  await db.write('update users set deleted_at = 1 where id = :user', { user: tenant.userId })
  expect(await loadKey(db, await sha256(tenant.key))).toBeNull()
})

test('a key comes with the limits that are set for its user, its tenant and itself, in one round trip', async () => {
  const [tenant, other] = [await newTenant(), await newTenant()]
  for (const [subject, read] of [
    [tenant.userId, { read: 30 }],
    [tenant.tenantId, { read: 40 }],
    [tenant.keyId, { 'api-key': 50 }],
    [other.tenantId, { read: 60 }],
    [other.keyId, { 'api-key': 70 }],
  ] as const)
    await setLimits(subject, { limits: read })
  const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const loaded = await loadKey(db.metered(meter), await sha256(tenant.key))
  expect(meter.roundTrips).toBe(1)
  expect(loaded?.limits.account).toEqual({ userId: tenant.userId, tenantId: tenant.tenantId, kind: 'person' })
  const found = loaded?.limits.settings.map(({ subject, permits }) => [subject, permits])
  expect(found?.toSorted((a, b) => Number(a[1]) - Number(b[1]))).toEqual([
    [tenant.userId, 30],
    [tenant.tenantId, 40],
    [tenant.keyId, 50],
  ])
})
