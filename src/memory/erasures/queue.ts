import type { Database } from '../../core/database/database.ts'
import { workMessages } from '../../core/message-kinds.ts'
import type { Work } from '../../core/work.ts'

/** A message of the queue `purge`: an erasure that runs. */
export interface RunErasure {
  kind: 'erasure'
  shard: string
  erasure_id: string
}

export const ERASURES = workMessages('purge', 'erasure')

/** The work of the erasures that a commit has requested. */
export const runErasures =
  ({ shard }: Database) =>
  (ids: readonly string[]): Work => ({
    kind: ERASURES,
    messages: ids.map((id): RunErasure => ({ kind: 'erasure', shard, erasure_id: id })),
  })
