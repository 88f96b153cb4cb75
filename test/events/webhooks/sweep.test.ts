import { expect, test } from 'vitest'
import { HOUR, MINUTE, travel } from '../../support/clock.ts'
import { newReceiver } from '../../support/receiver.ts'
import { publish, runSweep, settled, subscribe } from '../../support/webhooks.ts'
import { newTenant, system } from '../../support/world.ts'

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

/** A subscription whose delivery has failed once and is due. */
async function dueDelivery(): Promise<string> {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: 500 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  await settled(id, { status: 'pending', attempts: 1 })
  travel(HOUR)
  return id
}

test.each([
  ['production', 10 * MINUTE],
  ['local', MINUTE],
] as const)('a message that is lost once more is sent again after a while: %s', async (environment, ms) => {
  const id = await dueDelivery()
  await runSweep('deliveries.resend', {
    queues: { send: async () => undefined },
    config: { ...system.config, environment },
  })
  expect(await settled(id, { status: 'pending' })).toMatchObject({ resend_at: system.now() + ms })
})

test.each([
  ['local', 3, false],
  ['local', 0, true],
  ['production', 3, true],
] as const)(
  'a local backlog is not sent once more each minute: %s, %i messages',
  async (environment, messages, again) => {
    const id = await dueDelivery()
    const backlogs = await system.queueBacklogs()
    const sent: unknown[] = []
    await runSweep('deliveries.resend', {
      queues: { send: async (_queue, bodies) => void sent.push(...bodies) },
      config: { ...system.config, environment },
      queueBacklogs: async () => ({ ...backlogs, delivery: { messages, oldestAt: null } }),
    })
    expect(sent.length > 0).toBe(again)
    const { resend_at } = await settled(id, { status: 'pending' })
    expect(resend_at > system.now()).toBe(again)
  },
)
