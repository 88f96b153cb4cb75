import { expect, test } from 'vitest'
import { verifyPresence } from '../../../src/events/sockets/sweep.ts'
import { travel } from '../../support/clock.ts'
import { openSocket } from '../../support/socket.ts'
import { db, newTenant, system, type Tenant } from '../../support/world.ts'

/** Presence of sockets whose hub was gone before it could erase the rows. */
const leftBehind = (tenant: Tenant, count: number, routingId = tenant.routingId) =>
  db.write(
    `insert into presence (connection_id, tenant_id, user_id, routing_id, credential_id, scopes, channels, created_at, verified_at)
     select 'req_' || :user || value, :tenant, :user, :routing, 'key_x', '[]', '[]', 0, 0 from json_each(:ids)`,
    {
      tenant: tenant.tenantId,
      user: tenant.userId,
      routing: routingId,
      ids: JSON.stringify(Array.from({ length: count }, (_, n) => n)),
    },
  )

const presentOf = async (tenant: Tenant) =>
  (await db.all('select 1 from presence where user_id = :user', { user: tenant.userId })).length

test('one sweep verifies more than one round of connections', async () => {
  const tenant = await newTenant()
  await openSocket(`/realtime?channels=conversation&token=${tenant.key}`)
  await leftBehind(tenant, 1_700)
  travel(61_000)
  await verifyPresence(system, db)
  expect(await presentOf(tenant)).toBe(1)
})

test('a hub that cannot be reached keeps its rows, and the others are verified', async () => {
  const [lost, fine] = [await newTenant(), await newTenant()]
  await leftBehind(lost, 1)
  await leftBehind(fine, 1)
  travel(61_000)
  const lines: unknown[] = []
  const log = { info: () => {}, error: (line: unknown) => lines.push(line) }
  const away = { ...system.hub(lost.routingId), missingSockets: () => Promise.reject(new Error('away')) }
  const hub = (routingId: string) => (routingId === lost.routingId ? away : system.hub(routingId))
  await verifyPresence({ ...system, log, hub }, db)
  expect([await presentOf(lost), await presentOf(fine)]).toEqual([1, 0])
  expect(lines).toEqual([{ event: 'presence.unverified', connections: 1 }])
})
