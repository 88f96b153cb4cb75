import { expect, test } from 'vitest'
import { deliveryConsumer } from '../../../src/events/index.ts'
import { DAY, MINUTE, travel } from '../../support/clock.ts'
import { messageOf } from '../../support/queue-message.ts'
import { newReceiver } from '../../support/receiver.ts'
import { publish, runSweep, settled, subscribe } from '../../support/webhooks.ts'
import { db, newTenant, system } from '../../support/world.ts'

test('deliveries of dead letters go back to the sweep, with an alert line', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: receiver.received.length > 1 ? 200 : 500 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  const row = await settled(id, { status: 'pending', attempts: 1 })
  await db.write('update deliveries set resend_at = ? where id = ?', system.now() + DAY, row.id)
  const lines: unknown[] = []
  await deliveryConsumer.onDeadLetters({ ...system, log: { info: () => {}, error: (line) => lines.push(line) } }, [
    messageOf({ id: row.id }),
  ])
  expect(lines).toEqual([{ event: 'delivery.dead_letters', alert: true, ids: [row.id] }])
  travel(MINUTE)
  await runSweep('deliveries.resend')
  expect(await settled(id, { status: 'delivered' })).toMatchObject({ attempts: 2 })
})
