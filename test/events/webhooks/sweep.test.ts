import { expect, test } from 'vitest'
import { HOUR, travel } from '../../support/clock.ts'
import { newReceiver } from '../../support/receiver.ts'
import { publish, runSweep, settled, subscribe } from '../../support/webhooks.ts'
import { newTenant } from '../../support/world.ts'

test('a lost delivery message is sent again by the sweep', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: receiver.received.length > 1 ? 200 : 500 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  await settled(id, { status: 'pending', attempts: 1 })
  travel(HOUR)
  await runSweep('deliveries.resend')
  await settled(id, { status: 'delivered', attempts: 2 })
  expect(receiver.received).toHaveLength(2)
})
