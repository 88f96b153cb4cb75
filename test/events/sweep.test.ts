import { expect, test } from 'vitest'
import { DAY, MINUTE, travel } from '../support/clock.ts'
import { commitEvent, conversationEvent } from '../support/events.ts'
import { newReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { deliveriesOf, publish, runSweep, settled, subscribe } from '../support/webhooks.ts'
import { db, newTenant, system, type Tenant } from '../support/world.ts'

test('the sweep fans an event out whose message was lost', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const id = await subscribe(tenant, receiver)
  await commitEvent(conversationEvent(tenant))
  await runSweep('events.resend')
  expect(await deliveriesOf(id)).toEqual([])
  travel(MINUTE)
  await runSweep('events.resend')
  expect(await settled(id, { status: 'delivered' })).toMatchObject({ attempts: 1 })
})

test('an event waits longer each time it is sent again, so that a backlog does not return whole each minute', async () => {
  const tenant = await newTenant()
  const id = await commitEvent(conversationEvent(tenant))
  const quiet = { queues: { send: async () => undefined } }
  const waits: number[] = []
  for (let n = 0; n < 4; n += 1) {
    const before = await db.first<{ resend_at: number }>('select resend_at from events where id = :id', { id })
    travel(Math.max(0, before!.resend_at - system.now()))
    await runSweep('events.resend', quiet)
    const after = await db.first<{ resend_at: number }>('select resend_at from events where id = :id', { id })
    waits.push(Math.round((after!.resend_at - system.now()) / MINUTE))
  }
  expect(waits).toEqual([1, 2, 4, 8])
})

/** Events of an hour in which no message arrived. After `expiresAt` they are to be erased. */
const pileUp = (tenant: Tenant, count: number, expiresAt: number) =>
  db.write(
    `insert into events (id, tenant_id, type, channel, workspace_id, project_id, actor, data, created_at, resend_at, expires_at)
     select substr(:id, 1, 22) || printf('%08d', value), :tenant, 'message.new', 'conversation', :workspace, :project, 'system', '{}', 0, 0, :expires_at
     from json_each(:ids)`,
    {
      id: system.newId('evt'),
      tenant: tenant.tenantId,
      workspace: tenant.workspaceId,
      project: tenant.projectId,
      expires_at: expiresAt,
      ids: JSON.stringify(Array.from({ length: count }, (_, n) => n)),
    },
  )

const idsOf = async (tenant: Tenant) =>
  (await db.all<{ id: string }>('select id from events where tenant_id = :tenant', { tenant: tenant.tenantId })).map(
    ({ id }) => id,
  )

test('one sweep sends more than one round of events again', async () => {
  const tenant = await newTenant()
  await pileUp(tenant, 2_500, system.now() + DAY)
  const sent = new Set<string>()
  const send = async (_: unknown, bodies: readonly unknown[]) => {
    for (const { ids } of bodies as { ids: string[] }[]) for (const id of ids) sent.add(id)
  }
  await runSweep('events.resend', { queues: { send } })
  expect((await idsOf(tenant)).filter((id) => !sent.has(id))).toEqual([])
})

test('one sweep erases more than one round of expired events', async () => {
  const tenant = await newTenant()
  await pileUp(tenant, 4_500, system.now() - 1)
  await runSweep('events.retention')
  expect(await idsOf(tenant)).toEqual([])
})

test('events, deliveries and attempts are erased after 30 days, typing events at the next sweep', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const id = await subscribe(tenant, receiver)
  const typing = await publish(tenant, {}, { type: 'typing.stop' })
  const event = await publish(tenant)
  await until(async () => expect((await deliveriesOf(id)).map((row) => row.status)).toEqual(['delivered', 'delivered']))
  const left = async () => ({
    events: await db.all('select id from events where id in (:typing, :event)', { typing, event }),
    deliveries: (await deliveriesOf(id)).length,
    attempts: (await db.all('select id from delivery_attempts where tenant_id = :tenant', { tenant: tenant.tenantId }))
      .length,
  })
  travel(MINUTE)
  await runSweep('events.retention')
  expect(await left()).toEqual({ events: [{ id: event }], deliveries: 2, attempts: 2 })
  travel(30 * DAY)
  await runSweep('events.retention')
  expect(await left()).toEqual({ events: [], deliveries: 0, attempts: 0 })
})
