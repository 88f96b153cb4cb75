import type { Database, Statement } from '../../core/database/database.ts'
import { COUNT_BITS, MARK, MAX_COUNT, type Postings } from './postings.ts'
import { slices } from '../../core/database/slices.ts'

/** The character after `MARK`. The postings of a term lie between the two. */
const AFTER_MARK = '¸'

/** The number of the project stands before every term (`12xfox`). So terms, counts and scores never cross projects. */
const codePrefix = (code: string): string => `${code} || 'x'`

/** SQL condition that joins `memory_words_instances v`: the postings of a term in the project with this code. */
export const postingsOfTerm = (code: string, term: string): string => `
  v.term >= ${codePrefix(code)} || ${term} || '${MARK}' and v.term < ${codePrefix(code)} || ${term} || '${AFTER_MARK}'`
/** SQL: the place of the posting in a term of the index, which is the same for all texts with the term. */
export const postingAt = (code: string, term: string): string => `length(${codePrefix(code)} || ${term}) + 2`
/** SQL: how often the term stands in the text of a posting. */
export const termCount = (posting: string): string => `(${posting} & ${MAX_COUNT})`
/** SQL: the length of that text in terms. */
export const textLength = (posting: string): string => `(${posting} >> ${COUNT_BITS})`

/** SQL of an FTS5 query for texts that contain all of `terms` (a JSON array). A term in quotes is never an operator. */
export const matchAll = (code: string, terms: string): string =>
  `select group_concat('"' || ${codePrefix(code)} || t.value || '${MARK}" *', ' AND ') from json_each(${terms}) t`

const EMPTY = `delete from memory_words where rowid in (
  select i.row from json_each(:items) e cross join memory_items i on i.id = e.value ->> 'id' where i.write_id = :write_id)`

const FILL = `insert into memory_words (rowid, words)
  select i.row, replace(e.value ->> 'postings', ' ', ' ' || ${codePrefix('p.code')})
  from json_each(:items) e cross join memory_items i on i.id = e.value ->> 'id' cross join projects p on p.id = i.project_id
  where i.write_id = :write_id and i.deleted_at is null`

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
