import type { QueueConsumer } from '../core/queue.ts'
import type { AuditMessage } from './message.ts'
import { storeMessages } from './store.ts'

export const auditConsumer: QueueConsumer = {
  consume: (system, messages) =>
    storeMessages(
      system,
      messages.map((message) => message.body as AuditMessage),
    ),
  /** Stores them once more: no audit row is given up without an alert line that says so. */
  async onDeadLetters(system, messages) {
    system.log.error({ event: 'audit.dead_letters', alert: true, messages: messages.length })
    await this.consume(system, messages)
  },
}
