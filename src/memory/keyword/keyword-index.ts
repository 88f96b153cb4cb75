import type { Database, Statement } from '../../core/database/database.ts'
import { COUNT_BITS, MARK, MAX_COUNT } from './postings.ts'
import { slices } from '../../core/database/slices.ts'

/** The character after `MARK`: a word's entries lie between both. */
const AFTER_MARK = '¸'

/**
 * Every word carries its project's number in front (`12xfox`), so that terms, and with them counts and scores, never
 * cross projects.
 */
const codePrefix = (code: string): string => `${code} || 'x'`

/**
 * SQL of the join of `memory_words_instances v` for a term of the project with this code, and of what its entry says:
 * `occurrences` of the word in the item with row `v.doc`, and the `length` of its text.
 */
export const entriesOf = (code: string, term: string): string => `
  v.term >= ${codePrefix(code)} || ${term} || '${MARK}' and v.term < ${codePrefix(code)} || ${term} || '${AFTER_MARK}'`
const ENTRY = `cast(substr(v.term, instr(v.term, '${MARK}') + 1) as integer)`
export const ENTRY_OCCURRENCES = `(${ENTRY} & ${MAX_COUNT})`
export const ENTRY_LENGTH = `(${ENTRY} >> ${COUNT_BITS})`

/** A query in FTS5's own syntax that all of `terms` (a JSON array) match. Quoted: a term holds neither quotes nor operators. */
export const matchAll = (code: string, terms: string): string =>
  `select group_concat('"' || ${codePrefix(code)} || t.value || '${MARK}" *', ' AND ') from json_each(${terms}) t`

const EMPTY = `delete from memory_words where rowid in (
  select i.row from json_each(?1) e cross join memory_items i on i.id = e.value ->> 'id' where i.write_id = ?2)`

const FILL = `insert into memory_words (rowid, words)
  select i.row, replace(e.value ->> 'words', ' ', ' ' || ${codePrefix('p.code')})
  from json_each(?1) e cross join memory_items i on i.id = e.value ->> 'id' cross join projects p on p.id = i.project_id
  where i.write_id = ?2 and i.deleted_at is null`

/**
 * The statements that bring new or changed texts into the word index, for the write's own batch, after its items.
 * They touch only rows that the batch stamped with `writeId`, so a lost race indexes nothing. Deletion needs none:
 * triggers empty the index when an item gets its `deleted_at` or goes (migrations/main/0001_word_index.sql).
 */
export function wordIndexStatements(db: Database, writeId: string, entries: readonly WordEntry[]): Statement[] {
  const indexed = entries.filter(({ isNew }) => !isNew).map(({ id }) => ({ id }))
  const rows = entries.map(({ id, words }) => ({ id, words }))
  return [
    ...slices(indexed).map((json) => db.statement(EMPTY, json, writeId)),
    ...slices(rows).map((json) => db.statement(FILL, json, writeId)),
  ]
}

/** The words of an item; a new one has none in the index yet. */
export interface WordEntry {
  id: string
  words: string
  isNew: boolean
}
