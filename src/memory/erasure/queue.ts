import type { System } from '../../core/context.ts'

/** A message of the `purge` queue. It sends itself again until `until`, as long as rows are left. */
export type PurgeMessage = { shard: string; until?: number } & (
  | { kind: 'tombstones' }
  | { kind: 'project'; project_id: string }
  | { kind: 'user'; tenant_id: string; user_id: string }
)

export const sendPurgeMessages = (system: System, messages: readonly PurgeMessage[]): Promise<void> =>
  system.queues.send('purge', messages)
