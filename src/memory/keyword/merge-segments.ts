import type { Database } from '../../core/database/database.ts'
import { shardSweep } from '../../core/queue.ts'
import type { Postings } from './postings.ts'

/** Pages of one `merge` command: about 15 ms of the database, so that other statements get their turn. */
export const PAGES_AT_ONCE = 128
const PORTIONS = 8
/** A segment is rewritten without its deleted rows once this percentage of them is deleted: FTS5's own default. */
const DELETED_PERCENT = 10

/** Segments of a size that are merged behind a commit, and by FTS5 within one: its own default. */
const SEGMENTS_OF_A_SIZE = 4
/** The same of the sweep (migrations/main/0001_word_index.sql). */
const SEGMENTS_OF_A_SWEEP = 2
/** A commit of fewer characters of postings leaves its merges to FTS5, which spares it a call. */
const LONG_POSTINGS = 8 * 1024
/** The same for texts that it deletes or replaces: FTS5 counts each as a page that the commit writes. */
const MANY_DELETED = 8

export const command = (name: string, value: number): string =>
  `insert into memory_words (memory_words, rank) values ('${name}', ${value})`

/** `deletemerge` is off for commits (migrations/main/0014_keyword_merges.sql), and on within this transaction. */
export const MERGE = [
  command('deletemerge', DELETED_PERCENT),
  command('merge', PAGES_AT_ONCE),
  command('deletemerge', 0),
]

/** Merges what a commit left. */
export const MERGE_BEHIND = [
  command('usermerge', SEGMENTS_OF_A_SIZE),
  command('merge', PAGES_AT_ONCE),
  command('usermerge', SEGMENTS_OF_A_SWEEP),
]

/**
 * FTS5 merges after each 64 pages that commits write, 64 pages a level at once, which takes longer than to index a long
 * text or to delete a hundred. So a long commit keeps it from merging. `merge` writes the segment of the commit before it
 * merges, here nothing.
 */
export const WITHOUT_MERGES = {
  before: [command('automerge', 0)],
  behind: [command('merge', 0), command('automerge', SEGMENTS_OF_A_SIZE)],
}

/** Whether a commit of these texts, which deletes so many others, is too long to merge as well. */
export function isLong(entries: readonly (Postings & { isNew: boolean })[], deleted: number): boolean {
  const replaced = entries.filter(({ isNew }) => !isNew).length
  const characters = entries.reduce((sum, { postings }) => sum + postings.length, 0)
  return deleted + replaced >= MANY_DELETED || characters >= LONG_POSTINGS
}

/** Merges behind a long commit that adds a segment. The sweep does what this leaves. */
export const mergeBehind = async (db: Database): Promise<void> =>
  void (await db.batch(MERGE_BEHIND.map((sql) => db.statement(sql))))

/**
 * Merges segments of the keyword index with the `merge` command of FTS5. Each commit adds a segment, and a search looks
 * up each term in all of them: a dozen segments cost more than the rest of a keyword search. FTS5 merges by itself only
 * at sixteen of a size. A run without anything to merge costs almost nothing.
 */
export const segmentSweep = shardSweep('memory.merge_segments', 1, async (_system, db) => {
  for (let portion = 0; portion < PORTIONS; portion++) await db.batch(MERGE.map((sql) => db.statement(sql)))
})
