/** @module-tag long */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { NOTIFICATION_CODES } from '../../src/core/notification-codes.ts'
import { CATALOG, CHANNELS, EVENT_TYPES, EventMessageSchema, type EventType } from '../../src/events/catalog.ts'
import { expirySweep } from '../../src/memory/purge/expire.ts'
import { accept, invitationFor, refuse } from '../support/invitation.ts'
import { givePassword, PASSWORD } from '../support/password.ts'
import { travel } from '../support/clock.ts'
import { newReceiver, type Receiver } from '../support/receiver.ts'
import { openSocket, type Message } from '../support/socket.ts'
import { until } from '../support/until.ts'
import { addMember, call, db, form, newSession, newTenant, system, type Tenant } from '../support/world.ts'
import { deliveriesOf, publish, request, runSweep, settled, subscribe } from '../support/webhooks.ts'

const DAY = 24 * 3_600_000

/** The message of the catalogue, with no other member of `data` than it names. */
const promised = (type: EventType) =>
  z.strictObject({
    ...EventMessageSchema.shape,
    type: z.literal(type),
    channel: z.literal(CATALOG[type].channel),
    data: z.strictObject(CATALOG[type].data.shape),
  })

const eventsAt = (receiver: Receiver): Message[] =>
  receiver.received.flatMap(({ body }) => (JSON.parse(body) as { events: Message[] }).events)

/** The least `data` of a publication of the type. */
const publishable = (type: EventType): object =>
  CATALOG[type].channel === 'conversation' ? { conversation_id: 'c1' } : { conversation_id: undefined }

/** The life of an item: stored, embedded, changed, deleted. Another one expires. */
async function liveItems(tenant: Tenant, received: () => Message[]): Promise<void> {
  const has = (type: string, count = 1) =>
    until(() => expect(received().filter((one) => one.type === type)).toHaveLength(count))
  const context = { conversation_id: 'c7', namespace: 'n1', scope: 'conversation' }
  const store = async (item: object) => {
    const { status, body } = await request(tenant, 'POST', '/api/memory/store', item)
    expect({ status, body }).toMatchObject({ status: 201 })
    return body as { id: string }
  }
  const item = await store({ content: 'a text', context })
  await has('memory.embedding_complete')
  await request(tenant, 'PATCH', `/v1/memory/items/${item.id}`, { tags: ['a'] })
  await request(tenant, 'DELETE', `/v1/memory/items/${item.id}`)
  await store({ content: 'a passing text', ttl: 60 })
  await has('memory.embedding_complete', 2)
  travel(61_000)
  await expirySweep.run(system)
  await has('memory.deleted', 2)
}

/** Every notification that the service sends by itself. */
async function raiseNotifications(tenant: Tenant): Promise<void> {
  await request(tenant, 'POST', '/v1/api-keys', { name: 'new', scopes: ['read:events'] })
  await givePassword(tenant)
  for (const agent of ['laptop', 'phone']) {
    await form('/auth/login', { username: tenant.email, password: PASSWORD }, { 'User-Agent': agent })
  }
  const gone = await subscribe(
    tenant,
    newReceiver(() => new Response(null, { status: 410 })),
  )
  await publish(tenant)
  await settled(gone, { status: 'failed' })
  const paused = await subscribe(tenant, newReceiver())
  await request(tenant, 'PATCH', `/v1/events/subscriptions/${paused}`, { status: 'paused' })
  await publish(tenant)
  await until(async () => expect(await deliveriesOf(paused)).toHaveLength(1))
  travel(7 * DAY + 60_000)
  await runSweep('deliveries.expire')
}

/** The notifications of a tenant that has somebody else in it, who hands it over. */
async function raiseNotificationsOfOthers(tenant: Tenant): Promise<void> {
  const other = await addMember(tenant, null)
  await refuse(other, await invitationFor(tenant, other))
  await accept(other, await invitationFor(tenant, other, 'admin'))
  const made = await request(other, 'POST', '/v1/workspaces', { name: 'Another' })
  await invitationFor({ ...other, workspaceId: made.body.id }, tenant)
  await givePassword(other)
  await db.write('update tenants set owner_id = :user where id = :tenant', {
    user: other.userId,
    tenant: other.tenantId,
  })
  const headers = await newSession(other)
  const path = `/v1/tenant/people/${tenant.userId}/reset-link`
  expect((await call('POST', path, { headers, body: { password: PASSWORD } })).status).toBe(201)
  const handedOver = await call('POST', '/v1/tenant/owner', {
    headers,
    body: { owner_id: tenant.userId, password: PASSWORD },
  })
  expect(handedOver.status).toBe(200)
}

test('every emitted event is as the catalogue says, and every type of the catalogue is emitted', async () => {
  const tenant = await newTenant()
  const socket = await openSocket(`/realtime?channels=${CHANNELS.join()}&token=${tenant.key}`)
  const receiver = newReceiver()
  await subscribe(tenant, receiver, { channels: CHANNELS })
  for (const type of EVENT_TYPES.filter((one) => CATALOG[one].channel !== 'memory')) {
    await publish(tenant, publishable(type), { type })
  }
  await liveItems(tenant, () => eventsAt(receiver))
  await raiseNotificationsOfOthers(tenant)
  await raiseNotifications(tenant)
  const messages = () => [...socket.messages, ...eventsAt(receiver)]
  await until(() =>
    expect(new Set(messages().map(({ data }) => data.code))).toEqual(new Set([undefined, ...NOTIFICATION_CODES])),
  )
  expect(new Set(messages().map(({ type }) => type))).toEqual(new Set(EVENT_TYPES))
  expect(new Set(messages().map(({ data }) => data.reason))).toEqual(new Set([undefined, 'expired', 'gone']))
  for (const message of messages()) {
    expect({ message, fault: promised(message.type as EventType).safeParse(message).error }).toEqual({ message })
  }
}, 60_000)
