import { expect, test } from 'vitest'
import { DAY, MINUTE, travel } from '../../support/clock.ts'
import { newReceiver } from '../../support/receiver.ts'
import { until } from '../../support/until.ts'
import { fanOutDone, notices, publish, request, runSweep, subscribe } from '../../support/webhooks.ts'
import { newTenant, system } from '../../support/world.ts'

test('deliveries that are not sent within seven days expire: listed, recoverable, owner notified once', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const id = await subscribe(tenant, receiver)
  const patch = (status: string) => request(tenant, 'PATCH', `/v1/events/subscriptions/${id}`, { status })
  await patch('paused')
  for (let n = 0; n < 2; n += 1) await fanOutDone(await publish(tenant, { n }))
  const since = new Date(system.now() - MINUTE).toISOString()
  travel(7 * DAY + MINUTE)
  await Promise.all([runSweep('deliveries.expire'), runSweep('deliveries.expire')])
  const { body } = await request(tenant, 'GET', `/v1/events/subscriptions/${id}/deliveries?status=expired`)
  expect(body.data).toHaveLength(2)
  expect(await notices(tenant.userId)).toMatchObject([{ code: 'deliveries.expired', subscription_id: id }])
  await patch('active')
  expect(receiver.received).toHaveLength(0)
  const recovered = await request(tenant, 'POST', `/v1/events/subscriptions/${id}/recover`, { since })
  expect(recovered).toMatchObject({ status: 202, body: { recovered: 2, has_more: false } })
  await until(() => expect(receiver.received).toHaveLength(2))
})
