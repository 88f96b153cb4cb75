import { expect, test, vi } from 'vitest'
import type { Queues } from '../../../src/core/ports.ts'
import type { ClaimedDelivery } from '../../../src/events/webhooks/claim.ts'
import { postpone } from '../../../src/events/webhooks/postpone.ts'
import { deliveriesOf, claimTwo } from '../../support/webhooks.ts'
import { db, newTenant, system } from '../../support/world.ts'

/** Two claimed deliveries, and the messages that go to the queue. */
async function rig() {
  const send = vi.fn<Queues['send']>(async () => undefined)
  return { ...(await claimTwo(await newTenant())), quiet: { ...system, queues: { send } }, sent: send.mock.calls }
}

const byAttempt = (claimed: ClaimedDelivery[]) => (one: ClaimedDelivery) => (one === claimed[0] ? 5_000 : 60_000)

test('each comes back after its own pause, with its reservation, and no attempt is used', async () => {
  const { id, claimed, quiet, sent } = await rig()
  const before = system.now()
  await postpone(quiet, db, claimed, byAttempt(claimed), { reserved: true })
  const rows = await deliveriesOf(id)
  expect(rows).toMatchObject(
    Array.from({ length: 2 }, () => ({ status: 'pending', attempts: 0, booked: 1, lease_id: null })),
  )
  const waits = new Map(rows.map((row) => [row.id, Math.round((row.next_attempt_at - before) / 1_000)]))
  expect(claimed.map((one) => waits.get(one.delivery_id))).toEqual([5, 60])
  expect(sent.map(([, bodies, options]) => [bodies, options])).toEqual([
    [[{ shard: db.shard, id: claimed[0]!.delivery_id }], { delaySeconds: 5 }],
    [[{ shard: db.shard, id: claimed[1]!.delivery_id }], { delaySeconds: 60 }],
  ])
})

test('a subscription that was paused meanwhile keeps them waiting; a delivery under another lease stays as it is', async () => {
  const { id, claimed, quiet, sent } = await rig()
  await db.batch([
    db.statement(`update subscriptions set status = 'paused' where id = :id`, { id }),
    db.statement(`update deliveries set lease_id = 'another' where id = :delivery`, {
      delivery: claimed[1]!.delivery_id,
    }),
  ])
  await postpone(quiet, db, claimed, byAttempt(claimed), { reason: 'not_sent' })
  const byId = new Map((await deliveriesOf(id)).map((row) => [row.id, row]))
  expect(byId.get(claimed[0]!.delivery_id)).toMatchObject({ status: 'waiting', last_error: 'not_sent', booked: 0 })
  expect(byId.get(claimed[1]!.delivery_id)).toMatchObject({ status: 'sending', last_error: null, lease_id: 'another' })
  expect(sent).toEqual([])
})
