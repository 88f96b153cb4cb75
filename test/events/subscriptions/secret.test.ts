import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { expect, test, vi } from 'vitest'
import { parseKeyRing } from '../../../src/core/values/hash.ts'
import { travel } from '../../support/clock.ts'
import { newReceiver, type Received } from '../../support/receiver.ts'
import { until } from '../../support/until.ts'
import { call, newTenant, system } from '../../support/world.ts'
import { deliveriesOf, deliverNow, publish, request, settled, subscribe } from '../../support/webhooks.ts'

const HOUR = 3_600_000

/** Checks a captured request at the time at which it was sent. */
const accepted = (secret: string, { headers, body }: Received): boolean[] => {
  vi.setSystemTime(Number(headers['webhook-timestamp']) * 1_000)
  try {
    return [new StandardWebhook(secret), new Svix(secret)].map((verifier) => {
      try {
        verifier.verify(body, headers)
        return true
      } catch {
        return false
      }
    })
  } finally {
    vi.useRealTimers()
  }
}

test('during a rotation both secrets verify every delivery, for 24 hours', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const id = await subscribe(tenant, receiver)
  const at = `/v1/events/subscriptions/${id}/secret`
  const before = (await request(tenant, 'GET', at)).body.secret
  const rotated = await request(tenant, 'POST', `${at}/rotate`)
  expect(rotated.status).toBe(200)
  const after = rotated.body.secret
  expect(after).not.toBe(before)
  expect((await request(tenant, 'GET', at)).body.secret).toBe(after)

  await publish(tenant)
  await until(() => expect(receiver.received).toHaveLength(1))
  travel(24 * HOUR)
  await publish(tenant)
  await until(() => expect(receiver.received).toHaveLength(2))
  const [during, over] = receiver.received as [Received, Received]
  expect(accepted(before, during)).toEqual([true, true])
  expect(accepted(after, during)).toEqual([true, true])
  expect(accepted(after, over)).toEqual([true, true])
  expect(accepted(before, over)).toEqual([false, false])
  expect(accepted(after, { ...during, body: during.body.replace('c1', 'c2') })).toEqual([false, false])
})

test('an Idempotency-Key rotates once: a repeated call does not drop the secret that receivers still use', async () => {
  const tenant = await newTenant()
  const id = await subscribe(tenant, newReceiver())
  const at = `/v1/events/subscriptions/${id}/secret`
  const rotate = () => call('POST', `${at}/rotate`, { key: tenant.key, headers: { 'Idempotency-Key': 'k1' } })
  const [first, again] = [await rotate(), await rotate()]
  expect(again).toMatchObject({ status: 200, body: first.body })
  expect(again.headers.get('Idempotent-Replayed')).toBe('true')
  expect((await request(tenant, 'GET', at)).body).toEqual(first.body)
})

test('a rotated key ring still opens secrets and headers of deliveries in flight', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: receiver.received.length > 1 ? 200 : 500 }))
  const id = await subscribe(tenant, receiver, {}, { 'X-Key': 'kept' })
  await publish(tenant)
  const row = await settled(id, { status: 'pending', attempts: 1 })
  travel(HOUR)
  const [newest] = parseKeyRing('DATA_KEYS', `new:${btoa('a key ring that was rotated'.padEnd(32, '.'))}`)
  await deliverNow(row.id, { dataKeys: [newest, ...system.dataKeys] })
  expect(await deliveriesOf(id)).toMatchObject([{ status: 'delivered' }])
  expect(receiver.received[1]?.headers['x-key']).toBe('kept')
})

test('a key ring without the key stops the delivery before sending, without using an attempt', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: 500 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  const row = await settled(id, { status: 'pending', attempts: 1 })
  travel(HOUR)
  await deliverNow(row.id, { dataKeys: parseKeyRing('DATA_KEYS', `x:${btoa('another key'.padEnd(32, '.'))}`) })
  expect(await deliveriesOf(id)).toMatchObject([{ status: 'pending', attempts: 1, last_error: 'not_sent' }])
  expect(receiver.received).toHaveLength(1)
})
