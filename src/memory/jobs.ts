import type { System } from '../core/context.ts'

/** A message of the `embed` queue: items whose text awaits its vectors. */
export interface EmbedJob {
  kind: 'embed'
  shard: string
  ids: string[]
}

/** After this long without a claim the sweep sends an item again: `memory_items.next_attempt_at` of a new text. */
export const RESEND_AFTER_MS = 60_000

/** Ids of one message: 100 × 30 bytes stays far below a message's 128 KB and is one consumer's portion. */
const MAX_IDS = 100

/** A group that its request never sent (it was killed before) must not swallow what comes after it. */
const STALE_MS = 1_000

const waiting = new Map<string, { ids: string[]; since: number }>()

/**
 * Sends committed items to be embedded, after the answer. What concurrent requests of this isolate commit within one
 * turn of the event loop travels in one message. A refused send is only logged: the sweep sends again what was left.
 */
export function enqueueEmbedding(system: System, shard: string, ids: readonly string[]): void {
  if (ids.length === 0) return
  const joined = waiting.get(shard)
  if (joined && Math.abs(system.now() - joined.since) < STALE_MS) {
    joined.ids.push(...ids)
    return
  }
  const group = { ids: [...ids], since: system.now() }
  waiting.set(shard, group)
  system.waitUntil(
    scheduler.wait(0).then(() => {
      if (waiting.get(shard) === group) waiting.delete(shard)
      return sendEmbedJobs(system, shard, group.ids)
    }),
  )
}

/** Sends them now, in as few messages as they need. */
export async function sendEmbedJobs(system: System, shard: string, ids: readonly string[]): Promise<void> {
  const jobs: EmbedJob[] = []
  for (let at = 0; at < ids.length; at += MAX_IDS) jobs.push({ kind: 'embed', shard, ids: ids.slice(at, at + MAX_IDS) })
  await system.queues.send('embed', jobs)
}

/** A message of the `purge` queue. A chain of messages that continues itself ends at `until`; the sweep begins anew. */
export type PurgeJob = { shard: string; until?: number } & (
  | { kind: 'tombstones' }
  | { kind: 'project'; project_id: string }
  | { kind: 'user'; tenant_id: string; user_id: string }
)
