import type { System } from '../../core/context.ts'
import type { Sweep } from '../../core/queue.ts'

/** Pages of one `merge` command: about 25 ms of the database, so that other statements get their turn. */
const PAGES_AT_ONCE = 250
const PORTIONS = 4

/**
 * Merges segments of the keyword index with the `merge` command of FTS5. Each commit adds a segment, and a search looks
 * up each term in all of them: a dozen segments cost more than the rest of a keyword search. FTS5 merges by itself only
 * at sixteen of a size. A run without anything to merge costs almost nothing.
 */
export async function mergeSegments(system: System): Promise<void> {
  for (const shard of system.shards) {
    for (let portion = 0; portion < PORTIONS; portion++) {
      await system
        .database(shard)
        .write(`insert into memory_words (memory_words, rank) values ('merge', ${PAGES_AT_ONCE})`)
    }
  }
}

export const segmentSweep: Sweep = { name: 'memory.merge_segments', everyMinutes: 1, run: mergeSegments }
