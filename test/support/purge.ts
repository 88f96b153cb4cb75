import type { QueueMessage } from '../../src/core/queue.ts'
import { purgeConsumer } from '../../src/memory/purge/consumer.ts'
import type { PurgeMessage } from '../../src/memory/purge/queue.ts'
import { until } from './until.ts'
import { system } from './world.ts'

export const purge = (body: PurgeMessage) =>
  purgeConsumer.consume(system, [
    { id: 'm', body, attempts: 1, sentAt: 0, ack() {}, retry() {} } satisfies QueueMessage,
  ])

/** A message purges a bounded number, and other tests' tombstones are as old: sends it until what is to be true is. */
export const purgeUntil = (body: PurgeMessage, holds: () => Promise<void>) =>
  until(async () => {
    await purge(body)
    await holds()
  })
