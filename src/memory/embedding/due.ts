import type { System } from '../../core/context.ts'
import { DUE_AUTHORS, MAX_DUE, TAKE_DUE, TAKE_OUTDATED } from './due-sql.ts'
import { embedItems } from './embed.ts'
import { sendEmbedding } from './queue.ts'
import { sharesOf, type Author } from './shares.ts'
import { turnsOf, type Owned } from './turns.ts'

/** After this long the other messages of the queue have their turn. Locally one consumer runs at a time. */
export const ROUND_MS = 3_000

/**
 * Takes items of an outdated model, and items whose message was lost, whose consumer died or whose back-off is over. Nobody
 * else takes them for a while. Each tenant has its share, and tenants take turns.
 */
export async function takeDue(system: System, shard: string): Promise<string[]> {
  const db = system.database(shard)
  const { model } = system.embedder
  const dimension = await system.embedder.readDimension()
  const outdated = await db.write<Owned>(TAKE_OUTDATED, { now: system.now(), model, dimension })
  const authors = await db.all<Author>(DUE_AUTHORS, { now: system.now() })
  if (authors.length === 0) return turnsOf(outdated)
  const due = await db.write<Owned>(TAKE_DUE, {
    now: system.now(),
    shares: JSON.stringify(sharesOf(authors, MAX_DUE)),
  })
  return turnsOf([...due, ...outdated])
}

/**
 * Embeds items and then what else is due, portion by portion, as fast as the model allows. After a round, or when the
 * model asks for a pause, a message of its own goes on. What is left at `until` waits for a later sweep.
 */
export async function embedDue(system: System, shard: string, ids: readonly string[], until: number): Promise<void> {
  const stopAt = Math.min(until, system.now() + ROUND_MS)
  let left = ids
  while (system.now() < stopAt) {
    left = await embedItems(system, system.database(shard), left, stopAt)
    if (left.length > 0 || system.embedder.down() || system.queries?.isSpent) break
    left = await takeDue(system, shard)
    if (left.length === 0) return
  }
  const pauseMs = system.embedder.down()?.retryAfterMs ?? 0
  if (system.now() + pauseMs >= until) return
  await sendEmbedding(system, [{ kind: 'embed', shard, ids: left, until }], Math.ceil(pauseMs / 1_000))
}
