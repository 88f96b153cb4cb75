import { shardSweep } from '../../core/queue.ts'

/** Pages of one `merge` command: about 25 ms of the database, so that other statements get their turn. */
const PAGES_AT_ONCE = 250
const PORTIONS = 4
/** A segment is rewritten without its deleted rows once this percentage of them is deleted: FTS5's own default. */
const DELETED_PERCENT = 10

const command = (name: string, value: number): string =>
  `insert into memory_words (memory_words, rank) values ('${name}', ${value})`

/** `deletemerge` is off for commits (migrations/main/0014_keyword_merges.sql), and on within this transaction. */
export const MERGE = [
  command('deletemerge', DELETED_PERCENT),
  command('merge', PAGES_AT_ONCE),
  command('deletemerge', 0),
]

/**
 * Merges segments of the keyword index with the `merge` command of FTS5. Each commit adds a segment, and a search looks
 * up each term in all of them: a dozen segments cost more than the rest of a keyword search. FTS5 merges by itself only
 * at sixteen of a size. A run without anything to merge costs almost nothing.
 */
export const segmentSweep = shardSweep('memory.merge_segments', 1, async (_system, db) => {
  for (let portion = 0; portion < PORTIONS; portion++) await db.batch(MERGE.map((sql) => db.statement(sql)))
})
