import { forEachShard, type QueueConsumer } from '../core/queue.ts'
import { FIRST_SHARD } from '../core/shards.ts'
import { sendData } from '../core/work.ts'
import type { AuditMessage } from './message.ts'
import { AUDIT } from './queue.ts'
import { storeMessages } from './store.ts'

export const auditConsumer: QueueConsumer = {
  /** A message that names no shard is about the first: a version with one shard sent it. */
  consume: (system, messages) =>
    forEachShard(
      system,
      messages,
      (shard, own) =>
        storeMessages(
          system,
          shard,
          own.map((message) => message.body as AuditMessage),
        ),
      [FIRST_SHARD],
    ),
  /** Stores them once more: no audit row is given up without an alert line that says so. */
  async onDeadLetters(system, messages) {
    system.log.error({ event: 'audit.dead_letters', alert: true, messages: messages.length })
    const left = await this.consume(system, messages)
    if (left.length > 0) await sendData(system, AUDIT, left)
  },
}
