import { workMessages } from '../../core/message-kinds.ts'
import type { System } from '../../core/context.ts'
import { sendWork } from '../../core/work.ts'
import { PROJECTS, USERS, WORKSPACES, type ErasureMessage } from '../../identity/index.ts'
import { ERASURES, type RunErasure } from '../erasures/queue.ts'

/** Deleted items of a shard, whose vectors and rows are still there. */
const TOMBSTONES = workMessages('purge', 'tombstones')

/** A message of the `purge` queue. It sends itself again until `until`, as long as rows are left. */
export type PurgeMessage = ({ kind: 'tombstones'; shard: string } | RunErasure | ErasureMessage) & { until?: number }

const KINDS = { tombstones: TOMBSTONES, erasure: ERASURES, project: PROJECTS, workspace: WORKSPACES, user: USERS }

export async function sendPurgeMessages(
  system: Pick<System, 'queues' | 'log'>,
  messages: readonly PurgeMessage[],
): Promise<void> {
  for (const [kind, own] of Map.groupBy(messages, (message) => message.kind))
    await sendWork(system, { kind: KINDS[kind], messages: own })
}
