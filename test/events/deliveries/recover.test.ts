import { expect, test } from 'vitest'
import { newReceiver } from '../../support/receiver.ts'
import { until } from '../../support/until.ts'
import { db, newTenant, system } from '../../support/world.ts'
import { deliveriesOf, publish, request, subscribe } from '../../support/webhooks.ts'

test('recover sends failed and expired deliveries of a span of time again, under the same webhook-ids', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const id = await subscribe(tenant, receiver)
  const since = new Date(system.now() - 60_000).toISOString()
  for (let n = 0; n < 3; n += 1) await publish(tenant, { n })
  await until(async () =>
    expect((await deliveriesOf(id)).map((row) => row.status)).toEqual(['delivered', 'delivered', 'delivered']),
  )
  const [failed, expired] = await deliveriesOf(id)
  await db.write(`update deliveries set status = 'failed' where id = ?`, failed!.id)
  await db.write(`update deliveries set status = 'expired' where id = ?`, expired!.id)
  const recover = (body: object) => request(tenant, 'POST', `/v1/events/subscriptions/${id}/recover`, body)
  const early = new Date(system.now() - 3_600_000).toISOString()
  expect((await recover({ since: early, until: since })).body).toEqual({ recovered: 0, has_more: false })
  expect((await recover({ since: since, until: early })).status).toBe(422)
  expect(await recover({ since })).toMatchObject({ status: 202, body: { recovered: 2, has_more: false } })
  await until(() => expect(receiver.received).toHaveLength(5))
  const again = receiver.received.slice(3).map((one) => one.headers['webhook-id'])
  expect(new Set(again)).toEqual(new Set([failed!.id, expired!.id]))
})
