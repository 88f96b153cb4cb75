/** @module-tag long */
import { expect, test } from 'vitest'
import { newReceiver } from '../../support/receiver.ts'
import { until } from '../../support/until.ts'
import { db, newTenant, system } from '../../support/world.ts'
import { deliveriesOf, fanOutDone, publish, request, subscribe } from '../../support/webhooks.ts'

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
  await db.write(`update deliveries set status = 'failed' where id = :id`, { id: failed!.id })
  await db.write(`update deliveries set status = 'expired' where id = :id`, { id: expired!.id })
  const recover = (body: object) => request(tenant, 'POST', `/v1/events/subscriptions/${id}/recover`, body)
  const early = new Date(system.now() - 3_600_000).toISOString()
  expect((await recover({ since: early, until: since })).body).toEqual({ recovered: 0, has_more: false })
  expect((await recover({ since: since, until: early })).status).toBe(422)
  expect(await recover({ since })).toMatchObject({ status: 202, body: { recovered: 2, has_more: false } })
  await until(() => expect(receiver.received).toHaveLength(5))
  const again = receiver.received.slice(3).map((one) => one.headers['webhook-id'])
  expect(new Set(again)).toEqual(new Set([failed!.id, expired!.id]))
})

test('after an outage recover makes due what waits for its next attempt, and leaves what is under way or has its turn reserved', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const id = await subscribe(tenant, receiver)
  const path = `/v1/events/subscriptions/${id}`
  await request(tenant, 'PATCH', path, { status: 'paused' })
  for (let n = 0; n < 5; n += 1) await fanOutDone(await publish(tenant, { n }))
  const later = system.now() + 30 * 60_000
  const [failed, unsent, sending, reserved, waiting] = await deliveriesOf(id)
  const set = (row: { id: string } | undefined, columns: string) =>
    db.statement(`update deliveries set next_attempt_at = :later, resend_at = :later, ${columns} where id = :id`, {
      later,
      id: row!.id,
    })
  await db.batch([
    db.statement(`update subscriptions set status = 'active' where id = :id`, { id }),
    set(failed, `status = 'pending', attempts = 3, last_error = 'status'`),
    set(unsent, `status = 'pending', last_error = 'name_not_resolved'`),
    set(sending, `status = 'sending', attempts = 3, lease_id = 'req_x', lease_until = ${later}`),
    set(reserved, `status = 'pending', attempts = 1, booked = 1`),
    set(waiting, `attempts = 3, last_error = 'status'`),
  ])
  const since = new Date(system.now() - 60_000).toISOString()
  const recover = () => request(tenant, 'POST', `${path}/recover`, { since })
  expect(await recover()).toMatchObject({ status: 202, body: { recovered: 3, has_more: false } })
  await until(() => expect(receiver.received).toHaveLength(3))
  expect(new Set(receiver.received.map((one) => one.headers['webhook-id']))).toEqual(
    new Set([failed!.id, unsent!.id, waiting!.id]),
  )
  const untouched = (await deliveriesOf(id)).filter((row) => [sending!.id, reserved!.id].includes(row.id))
  expect(untouched).toMatchObject([
    { status: 'sending', attempts: 3, next_attempt_at: later },
    { status: 'pending', attempts: 1, next_attempt_at: later },
  ])
  expect((await recover()).body).toEqual({ recovered: 0, has_more: false })
})

test('recover also takes what is due and whose message was lost, before the sweep sends it; not what is still on its way', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const id = await subscribe(tenant, receiver)
  const path = `/v1/events/subscriptions/${id}`
  await request(tenant, 'PATCH', path, { status: 'paused' })
  for (let n = 0; n < 4; n += 1) await fanOutDone(await publish(tenant, { n }))
  const now = system.now()
  const [lost, dead, queued, sending] = await deliveriesOf(id)
  const set = (row: { id: string } | undefined, columns: string, resendAt: number) =>
    db.statement(
      `update deliveries set next_attempt_at = :now - 180000, resend_at = :resend_at, ${columns} where id = :id`,
      { now, resend_at: resendAt, id: row!.id },
    )
  await db.batch([
    db.statement(`update subscriptions set status = 'active' where id = :id`, { id }),
    set(lost, `status = 'pending'`, now),
    set(dead, `status = 'sending', lease_id = 'req_x', lease_until = ${now - 60_000}`, now),
    set(queued, `status = 'pending'`, now + 60_000),
    set(sending, `status = 'sending', lease_id = 'req_y', lease_until = ${now + 60_000}`, now + 120_000),
  ])
  const since = new Date(now - 60_000).toISOString()
  const recover = () => request(tenant, 'POST', `${path}/recover`, { since })
  expect(await recover()).toMatchObject({ status: 202, body: { recovered: 2, has_more: false } })
  await until(() => expect(receiver.received).toHaveLength(2))
  expect(new Set(receiver.received.map((one) => one.headers['webhook-id']))).toEqual(new Set([lost!.id, dead!.id]))
  expect((await recover()).body).toEqual({ recovered: 0, has_more: false })
})

test('what waits behind a paused subscription starts over with recover and goes out when it is resumed', async () => {
  const tenant = await newTenant()
  const id = await subscribe(tenant, newReceiver())
  const path = `/v1/events/subscriptions/${id}`
  await request(tenant, 'PATCH', path, { status: 'paused' })
  await fanOutDone(await publish(tenant))
  const later = system.now() + 30 * 60_000
  await db.write('update deliveries set attempts = 7, next_attempt_at = :later where subscription_id = :id', {
    later,
    id,
  })
  const since = new Date(system.now() - 60_000).toISOString()
  const recovered = await request(tenant, 'POST', `${path}/recover`, { since })
  expect(recovered.body).toEqual({ recovered: 1, has_more: false })
  expect(await deliveriesOf(id)).toMatchObject([{ status: 'waiting', attempts: 0 }])
  await request(tenant, 'PATCH', path, { status: 'active' })
  await until(async () => expect(await deliveriesOf(id)).toMatchObject([{ status: 'delivered', attempts: 1 }]))
})
