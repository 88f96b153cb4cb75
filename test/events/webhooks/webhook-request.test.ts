import { Webhook as StandardWebhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { newReceiver } from '../../support/receiver.ts'
import { until } from '../../support/until.ts'
import { publish, request, settled, subscribe } from '../../support/webhooks.ts'
import { newTenant } from '../../support/world.ts'

test('a published event arrives as a signed POST with the body of contract §5', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const id = await subscribe(tenant, receiver)
  const eventId = await publish(tenant, { text: 'héllo ✓' })
  const row = await settled(id, { status: 'delivered', attempts: 1, last_status_code: 200, last_error: null })
  expect(receiver.received).toHaveLength(1)
  const [{ method, headers, body, redirect }] = receiver.received as [(typeof receiver.received)[0]]
  expect({ method, redirect }).toEqual({ method: 'POST', redirect: 'manual' })
  expect(headers).toMatchObject({
    'user-agent': 'Recollect-Webhook/1',
    'content-type': 'application/json',
    'webhook-id': row.id,
    'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
  })
  expect(JSON.parse(body)).toEqual({
    subscription_id: id,
    events: [
      {
        id: eventId,
        type: 'message.new',
        channel: 'conversation',
        timestamp: expect.stringMatching(/Z$/),
        data: { conversation_id: 'c1', text: 'héllo ✓' },
      },
    ],
    timestamp: expect.stringMatching(/Z$/),
  })
  const { body: revealed } = await request(tenant, 'GET', `/v1/events/subscriptions/${id}/secret`)
  expect(new StandardWebhook(revealed.secret).verify(body, headers)).toEqual(JSON.parse(body))
})

test('custom headers are sent', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  await subscribe(tenant, receiver, {}, { Authorization: 'Bearer t0p', 'X-Env': 'test' })
  await publish(tenant)
  await until(() => expect(receiver.received).toHaveLength(1))
  expect(receiver.received[0]?.headers).toMatchObject({ authorization: 'Bearer t0p', 'x-env': 'test' })
})
