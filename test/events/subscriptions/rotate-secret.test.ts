import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { expect, test, vi } from 'vitest'
import { DAY, travel } from '../../support/clock.ts'
import { newReceiver, type Received } from '../../support/receiver.ts'
import { until } from '../../support/until.ts'
import { call, newTenant } from '../../support/world.ts'
import { publish, request, subscribe } from '../../support/webhooks.ts'

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
  travel(DAY)
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
