import { expect, test } from 'vitest'
import { settleAddresses, settleClients } from '../../../src/auth/directory/settle.ts'
import { newRoutingId } from '../../../src/auth/index.ts'
import { db, home, newTenant, system } from '../../support/world.ts'

const directory = system.database('00')

/** An entry of the directory whose account nobody has confirmed. */
async function reserved(routingId = newRoutingId(home, system.random)): Promise<string> {
  await directory.batch([
    directory.statement(
      'insert into directory (email, routing_id, user_id, expires_at) values (:email, :routing, :user_id, 1)',
      { email: `settle-${crypto.randomUUID()}@example.com`, routing: routingId, user_id: system.newId('usr') },
    ),
  ])
  return routingId
}

const entriesOf = (routingId: string) =>
  directory.all<{ expires_at: number | null }>('select expires_at from directory where routing_id = :routing', {
    routing: routingId,
  })
const isSpent = async (id: string) =>
  (await db.first('select 1 as one from spent_reservations where id = :id', { id })) !== null

test('those with an account are confirmed, with the shard of their tenant, and the others are erased and given up', async () => {
  const there = await newTenant()
  await directory.batch([
    directory.statement('update directory set expires_at = 1 where routing_id = :routing', {
      routing: there.routingId,
    }),
    directory.statement('delete from tenant_directory where id = :tenant', { tenant: there.tenantId }),
  ])
  const gone = await reserved()
  expect(await settleAddresses(system, home, [there.routingId, gone])).toEqual([there.routingId])
  expect([await entriesOf(there.routingId), await entriesOf(gone)]).toEqual([[{ expires_at: null }], []])
  expect(
    await directory.first('select shard from tenant_directory where id = :tenant', { tenant: there.tenantId }),
  ).toEqual({
    shard: home,
  })
  expect(await isSpent(gone)).toBe(true)
})

test('twice, and by two at once, is as once', async () => {
  const gone = await reserved()
  await Promise.all([settleAddresses(system, home, [gone]), settleAddresses(system, home, [gone])])
  expect(await settleAddresses(system, home, [gone])).toEqual([])
  expect([await entriesOf(gone), await isSpent(gone)]).toEqual([[], true])
})

test('an account that is deleted by now does not keep its address', async () => {
  const { routingId, userId } = await newTenant()
  await directory.batch([
    directory.statement('update directory set expires_at = 1 where routing_id = :routing', { routing: routingId }),
  ])
  await db.batch([db.statement('update users set deleted_at = 1 where id = :user', { user: userId })])
  expect(await settleAddresses(system, home, [routingId])).toEqual([])
  expect(await entriesOf(routingId)).toEqual([])
})

test('what somebody confirmed meanwhile stays, and other reservations are not touched', async () => {
  const [confirmed, other] = [await reserved(), await reserved()]
  await directory.batch([
    directory.statement('update directory set expires_at = null where routing_id = :confirmed', { confirmed }),
  ])
  await settleAddresses(system, home, [confirmed])
  expect([await entriesOf(confirmed), await entriesOf(other)]).toEqual([[{ expires_at: null }], [{ expires_at: 1 }]])
})

test('a client id without its application is given up', async () => {
  const id = system.newId('app')
  await directory.batch([
    directory.statement('insert into client_directory (id, shard, expires_at) values (:id, :home, 1)', { id, home }),
  ])
  await settleClients(system, home, [id])
  expect(await directory.first('select 1 from client_directory where id = :id', { id })).toBeNull()
  expect(await isSpent(id)).toBe(true)
})
