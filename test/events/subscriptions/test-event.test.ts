/** @module-tag long */
import { expect, test } from 'vitest'
import { CATALOG } from '../../../src/events/catalog.ts'
import { newReceiver } from '../../support/receiver.ts'
import { openSocket } from '../../support/socket.ts'
import { until } from '../../support/until.ts'
import { addKey, call, newTenant } from '../../support/world.ts'
import { request, settled, subscribe } from '../../support/webhooks.ts'

test('a test event arrives at this subscription alone, on the way of every event', async () => {
  const tenant = await newTenant()
  const [receiver, other] = [newReceiver(), newReceiver()]
  const id = await subscribe(tenant, receiver, { events: ['message.updated'], filters: { conversation_id: 'c9' } })
  await subscribe(tenant, other)
  const { status, body } = await request(tenant, 'POST', `/v1/events/subscriptions/${id}/test`)
  expect(status).toBe(202)
  expect(await settled(id, { status: 'delivered' })).toMatchObject({ id: body.delivery_id, event_id: body.event_id })
  expect(JSON.parse(receiver.received[0]!.body).events).toMatchObject([
    {
      id: body.event_id,
      type: 'message.updated',
      channel: 'conversation',
      data: { test: true, conversation_id: 'c9' },
    },
  ])
  expect(other.received).toHaveLength(0)
})

test('subscriptions of a limited key and on channels of your own can be tested, paused ones cannot', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const { secret } = await addKey(tenant, {
    permissions: [{ project_id: tenant.projectId, access: 'read', namespaces: ['a'] }],
  })
  const limited = await subscribe({ ...tenant, key: secret }, receiver, { channels: ['memory'] })
  const own = await subscribe(tenant, receiver, { channels: ['orders'] })
  for (const id of [limited, own]) await request(tenant, 'POST', `/v1/events/subscriptions/${id}/test`)
  await until(() => expect(receiver.received).toHaveLength(2))
  await request(tenant, 'PATCH', `/v1/events/subscriptions/${own}`, { status: 'paused' })
  expect((await request(tenant, 'POST', `/v1/events/subscriptions/${own}/test`)).status).toBe(409)
})

test.each([
  [['memory'], [], 'memory.created'],
  [['memory'], ['memory.deleted'], 'memory.deleted'],
  [['conversation'], ['typing.start'], 'typing.start'],
  [['conversation'], ['typing.stop'], 'typing.stop'],
  [['conversation'], ['typing.start', 'message.new'], 'message.new'],
] as const)('a test event of %j and types %j is a %s as the catalogue says', async (channels, events, type) => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const id = await subscribe(tenant, receiver, { channels, events })
  await request(tenant, 'POST', `/v1/events/subscriptions/${id}/test`)
  await settled(id, { status: 'delivered' })
  const [event] = JSON.parse(receiver.received[0]!.body).events
  expect(event).toMatchObject({ type, channel: CATALOG[type].channel, data: { test: true } })
  expect(CATALOG[type].data.safeParse(event.data).error).toBeUndefined()
})

test('an Idempotency-Key sends one test event, however often the call is repeated', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const id = await subscribe(tenant, receiver)
  const send = (idempotencyKey: string) =>
    call('POST', `/v1/events/subscriptions/${id}/test`, {
      key: tenant.key,
      headers: { 'Idempotency-Key': idempotencyKey },
    })
  const [first, again, other] = [await send('k1'), await send('k1'), await send('k2')]
  expect(again).toMatchObject({ status: 202, body: first.body })
  expect(again.headers.get('Idempotent-Replayed')).toBe('true')
  expect(other.body.delivery_id).not.toBe(first.body.delivery_id)
  await until(() => expect(receiver.received).toHaveLength(2))
})

test('a test event is for the subscription alone: a resume does not send it', async () => {
  const tenant = await newTenant()
  const socket = await openSocket(`/realtime?channels=conversation&token=${tenant.key}`)
  const receiver = newReceiver()
  const id = await subscribe(tenant, receiver)
  await request(tenant, 'POST', `/v1/events/subscriptions/${id}/test`)
  await settled(id, { status: 'delivered' })
  const { secret } = await addKey(tenant)
  const from = socket.messages[0]?.id
  const again = await openSocket(`/realtime?channels=conversation&token=${secret}&last_event_id=${from}`)
  expect(again.messages[0]?.data).toMatchObject({ recovered: true, replayed: 0 })
})
