import type { System } from '../../core/context.ts'
import type { ErasureMessage } from '../../identity/index.ts'

/** A message of the `purge` queue. It sends itself again until `until`, as long as rows are left. */
export type PurgeMessage = ({ kind: 'tombstones'; shard: string } | ErasureMessage) & { until?: number }

export const sendPurgeMessages = (system: System, messages: readonly PurgeMessage[]): Promise<void> =>
  system.queues.send('purge', messages)
