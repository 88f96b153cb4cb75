import { afterEach, expect, test, vi } from 'vitest'
import { denialSweep } from '../../../src/auth/credentials/send-denials.ts'
import { UserHub } from '../../../src/hub/user-hub.do.ts'
import { givePassword, PASSWORD } from '../../support/password.ts'
import { addKey, call, db, newSession, newTenant, system, type Answer, type Tenant } from '../../support/world.ts'

afterEach(() => void vi.restoreAllMocks())

const status = async (credential: { key?: string; headers?: Record<string, string> }) =>
  (await call('GET', '/v1/projects', credential)).status

const pending = ({ routingId }: Tenant) =>
  db.all('select id from pending_denials where routing_id = :routing', { routing: routingId })

/** Changes that end the key of the tenant by `commitThenDeny`. */
const CHANGES: Record<string, (tenant: Tenant, headers: Record<string, string>) => Promise<Answer>> = {
  'a rotation without overlap': (tenant, headers) =>
    call('POST', `/v1/api-keys/${tenant.keyId}/rotate`, { headers, body: { overlap_seconds: 0 } }),
  'a change of the password': (_, headers) =>
    call('POST', '/v1/users/me/password', {
      headers,
      body: { current_password: PASSWORD, new_password: 'staple or something else' },
    }),
}

test.each(Object.entries(CHANGES))(
  'a hub that is not reached after %s: the change stands, and the sweep sends the denial, which the cached credential obeys',
  async (_, change) => {
    const tenant = await newTenant()
    await givePassword(tenant)
    const headers = await newSession(tenant)
    expect(await status({ key: tenant.key })).toBe(200)
    const deny = vi.spyOn(UserHub.prototype, 'deny').mockRejectedValue(new Error('the machine is gone'))
    expect((await change(tenant, headers)).status).toBeLessThan(300)
    expect(deny).toHaveBeenCalledTimes(2)
    expect(await pending(tenant)).toContainEqual({ id: tenant.keyId })
    await denialSweep.run(system)
    expect(await pending(tenant)).toContainEqual({ id: tenant.keyId })
    deny.mockRestore()
    await denialSweep.run(system)
    expect(await status({ key: tenant.key })).toBe(401)
    expect(await pending(tenant)).toEqual([])
  },
)

test('a hub that restarts gets the denial by the second try, before the answer', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const { id, secret } = await addKey(tenant)
  expect(await status({ key: secret })).toBe(200)
  const deny = vi.spyOn(UserHub.prototype, 'deny').mockRejectedValueOnce(new Error('the machine is restarting'))
  await call('POST', `/v1/api-keys/${id}/rotate`, { headers, body: { overlap_seconds: 0 } })
  expect(deny).toHaveBeenCalledTimes(2)
  expect(await status({ key: secret })).toBe(401)
})

test('no record is left of a denial that the hub has confirmed', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const { id } = await addKey(tenant)
  await call('POST', `/v1/api-keys/${id}/rotate`, { headers })
  expect(await pending(tenant)).toEqual([])
})

test('a hub that does not answer delays no other', async () => {
  const [lost, other] = [await newTenant(), await newTenant()]
  for (const { keyId, routingId } of [lost, other])
    await db.write(`insert into pending_denials values (:key, :routing, :now, 'req_x')`, {
      key: keyId,
      routing: routingId,
      now: system.now(),
    })
  expect([await status(lost), await status(other)]).toEqual([200, 200])
  const hub: typeof system.hub = (routingId) => ({
    ...system.hub(routingId),
    ...(routingId === lost.routingId ? { deny: () => Promise.reject(new Error('the machine is gone')) } : {}),
  })
  await denialSweep.run({ ...system, hub })
  expect([await status(lost), await status(other)]).toEqual([200, 401])
  expect([await pending(lost), await pending(other)]).toEqual([[{ id: lost.keyId }], []])
})

test('however many denials of hubs that do not answer there are, those behind them are sent', async () => {
  const [lost, other] = [await newTenant(), await newTenant()]
  await db.write(
    `with recursive n (at) as (select 1 union all select at + 1 from n where at < 5500)
     insert into pending_denials select 'aaa_' || at, :routing, :now, 'req_x' from n`,
    { routing: lost.routingId, now: system.now() },
  )
  await db.write(`insert into pending_denials values (:key, :routing, :now, 'req_x')`, {
    key: other.keyId,
    routing: other.routingId,
    now: system.now(),
  })
  const hub: typeof system.hub = (routingId) => ({
    ...system.hub(routingId),
    ...(routingId === lost.routingId ? { deny: () => Promise.reject(new Error('the machine is gone')) } : {}),
  })
  await denialSweep.run({ ...system, hub })
  expect([(await pending(lost)).length, await pending(other)]).toEqual([5_500, []])
  await db.write('delete from pending_denials where routing_id = :routing', { routing: lost.routingId })
})
