import type { System } from '../../core/context.ts'
import type { Sweep } from '../../core/queue.ts'

/** About 25 ms of the database: other statements have their turn in between. */
const PAGES_AT_ONCE = 250
const PORTIONS = 4

/**
 * Merges segments of the word index (SQLite's FTS5, the `merge` command). Each commit adds one, and a search looks for
 * each of its words in all of them, so that a dozen cost it more than everything else that it does with words. FTS5
 * merges by itself only where many have come together. With nothing to merge it costs next to nothing.
 */
export async function mergeWords(system: System): Promise<void> {
  for (const shard of system.shards) {
    for (let portion = 0; portion < PORTIONS; portion++) {
      await system
        .database(shard)
        .write(`insert into memory_words (memory_words, rank) values ('merge', ${PAGES_AT_ONCE})`)
    }
  }
}

export const wordSweep: Sweep = { name: 'memory.words', everyMinutes: 1, run: mergeWords }
