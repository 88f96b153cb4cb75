import { forEachShard, type QueueConsumer } from '../../core/queue.ts'
import { purge } from './purge.ts'
import { sendPurgeMessages, type PurgeMessage } from './queue.ts'

/** A message sends itself again for less than the minute between two sweeps, so that one chain runs at a time. */
const CHAIN_MS = 50_000

/** The consumer of the `purge` queue. Every portion is a commit of its own and safe to repeat. */
export const purgeConsumer: QueueConsumer = {
  consume: (system, messages) =>
    forEachShard(system, messages, async (_shard, own) => {
      const left: PurgeMessage[] = []
      for (const message of own) {
        const body = message.body as PurgeMessage
        if (system.queries?.isSpent) {
          left.push(body)
          continue
        }
        const until = body.until ?? system.now() + CHAIN_MS
        const more = await purge(system, body)
        if (more && system.now() < until) await sendPurgeMessages(system, [{ ...body, until }])
      }
      return left
    }),
  /** A lost message loses no work: the sweep finds the rows again. */
  async onDeadLetters(system, messages) {
    for (const message of messages)
      system.log.error({ event: 'purge.dead_letters', alert: true, message: message.body })
  },
}
