import type { Database, Statement } from '../../core/database/database.ts'
import { slices } from '../../core/database/slices.ts'
import { filedPostings, FILING_JOINS, KEYED_FORM } from './index-form.ts'
import type { Postings } from './postings.ts'

const emptied = (condition: string): string => `delete from memory_words where rowid in (
  select i.row from json_each(:items) e cross join memory_items i on i.id = e.value ->> 'id' where ${condition})`

const filled = (condition: string): string => `insert into memory_words (rowid, words)
  select i.row, ${filedPostings(`e.value ->> 'postings'`)}
  from json_each(:items) e cross join memory_items i on i.id = e.value ->> 'id' ${FILING_JOINS}
  where ${condition} and i.deleted_at is null`

/** For a commit, which stamps its items. */
const STAMPED = 'i.write_id = :write_id'
const EMPTY = emptied(STAMPED)
const FILL = filled(STAMPED)

/** For the sweep. It leaves items that were written since it read them, or that did not get the name that it gave them. */
const AS_READ = `i.write_id = e.value ->> 'write_id' and i.custom_id is e.value ->> 'custom_id'`
const EMPTY_AGAIN = emptied(AS_READ)
const FILL_AGAIN = filled(AS_READ)
const INDEXED = `
  update memory_items set word_count = s.words, speaker_key = s.name, indexed_by = ${KEYED_FORM}, indexed_version = version
  from (select i.row as item, e.value ->> 'length' as words, e.value ->> 'speaker_key' as name from json_each(:items) e
    cross join memory_items i on i.id = e.value ->> 'id' where ${AS_READ} and i.deleted_at is null limit -1) s
  where memory_items.row = s.item`

/** A text on its way into the keyword index. */
export interface KeywordEntry extends Postings {
  id: string
  /** The index holds no postings of the item yet. */
  isNew: boolean
}

/**
 * Statements that index new and changed texts. They belong in the batch of the write, after its items, and touch only
 * rows that the batch stamped with `writeId`. A deletion needs none: triggers remove the postings of a deleted item
 * (migrations/main/0001_word_index.sql).
 */
export function keywordIndexStatements(db: Database, writeId: string, entries: readonly KeywordEntry[]): Statement[] {
  const indexed = entries.filter(({ isNew }) => !isNew).map(({ id }) => ({ id }))
  const rows = entries.map(({ id, postings }) => ({ id, postings }))
  return [
    ...slices(indexed).map((json) => db.statement(EMPTY, { items: json, write_id: writeId })),
    ...slices(rows).map((json) => db.statement(FILL, { items: json, write_id: writeId })),
  ]
}

/** An item that the sweep indexes again, as it read and named it. */
export interface DueEntry extends Postings {
  speaker_key: string | null
  id: string
  write_id: string
  custom_id: string | null
}

/** One batch. The counts come first, as a new length moves the counts of the class. */
export const indexAgainStatements = (db: Database, entries: readonly DueEntry[]): Statement[] =>
  slices(entries).flatMap((json) =>
    [INDEXED, EMPTY_AGAIN, FILL_AGAIN].map((text) => db.statement(text, { items: json })),
  )
