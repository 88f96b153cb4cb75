import { expect, test, vi } from 'vitest'
import { recordDenials } from '../../../src/auth/credentials/send-denials.ts'
import { commitThenDeny, denyThenCommit } from '../../../src/auth/credentials/deny-and-commit.ts'
import { sql } from '../../../src/core/database/sql.ts'
import { requestContext } from '../../support/oauth.ts'
import { call, db, newTenant, system, type Tenant } from '../../support/world.ts'

/** A context whose hubs answer as `deny` does. */
const withHub = (deny: () => Promise<void>) =>
  requestContext({ hub: (routingId) => ({ ...system.hub(routingId), deny }) })

const revokeKey = (tenant: Tenant) =>
  db.statement('update api_keys set revoked_at = :revoked_at where id = :key returning id', {
    revoked_at: system.now(),
    key: tenant.keyId,
  })

const revokedAt = ({ keyId }: Tenant) =>
  db.first<{ revoked_at: number | null }>('select revoked_at from api_keys where id = :key', { key: keyId })

const status = async (tenant: Tenant) => (await call('GET', '/v1/projects', { key: tenant.key })).status

test('deny, then commit: where the hub is not reached nothing changes, and no statement is built', async () => {
  const tenant = await newTenant()
  const ctx = withHub(() => Promise.reject(new Error('the machine is gone')))
  const commit = vi.fn(() => [revokeKey(tenant)])
  const denial = { routingId: tenant.routingId, ids: [tenant.keyId] }
  await expect(denyThenCommit(ctx, db, denial, commit)).rejects.toThrow('the machine is gone')
  expect(commit).not.toHaveBeenCalled()
  expect(await revokedAt(tenant)).toEqual({ revoked_at: null })
  expect(await status(tenant)).toBe(200)
})

test('deny, then commit: the credential is refused, and the rows of the commit are answered', async () => {
  const tenant = await newTenant()
  expect(await status(tenant)).toBe(200)
  const denial = { routingId: tenant.routingId, ids: [tenant.keyId] }
  expect(await denyThenCommit(requestContext(), db, denial, () => [revokeKey(tenant)])).toEqual([
    [{ id: tenant.keyId }],
  ])
  expect(await status(tenant)).toBe(401)
})

test.each([
  ['a commit that ended a credential sends its denial', '1', 1],
  ['a commit that ended none sends nothing', '0', 0],
])('commit, then deny: %s', async (_, onlyIf, sent) => {
  const { keyId, routingId } = await newTenant()
  const deny = vi.fn(() => Promise.resolve())
  const ctx = withHub(deny)
  await commitThenDeny(ctx, db, [
    recordDenials(
      ctx,
      db,
      sql(`select :id as id, :routing_id as routing_id, 1 as ends_at where ${onlyIf}`, {
        id: keyId,
        routing_id: routingId,
      }),
    ),
  ])
  expect(deny.mock.calls).toEqual(Array.from({ length: sent }, () => [{ ids: [keyId], from: 1 }]))
})
