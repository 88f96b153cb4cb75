import type { Database, Statement } from '../core/db.ts'
import { tokens } from './tokens.ts'

/** What the word index keeps of a text: `words` is its column, `count` goes to `memory_items.word_count`. */
export interface IndexedWords {
  /** Each word with one space before it: `" quick fox"`. */
  words: string
  count: number
}

export function indexedWords(text: string): IndexedWords {
  const found = tokens(text)
  return { words: found.map((token) => ` ${token}`).join(''), count: found.length }
}

/** Bytes of one JSON parameter; D1 binds at most 2 MB (architecture §6). */
const MAX_PARAMETER_CHARACTERS = 500_000

/**
 * Every word carries its project's number in front (`12xfox`), so that terms, and with them counts and scores, never
 * cross projects. Used as `replace(words, ' ', <this>)` and in front of a query's term.
 */
export const codePrefix = (code: string): string => `${code} || 'x'`

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
export function wordIndexStatements(
  db: Database,
  writeId: string,
  entries: readonly { id: string; words: string }[],
): Statement[] {
  return slices(entries).flatMap((slice) => {
    const json = JSON.stringify(slice.map(({ id, words }) => ({ id, words })))
    return [db.statement(EMPTY, json, writeId), db.statement(FILL, json, writeId)]
  })
}

function slices(entries: readonly { id: string; words: string }[]): { id: string; words: string }[][] {
  const all: { id: string; words: string }[][] = []
  let room = 0
  for (const entry of entries) {
    if (all.length === 0 || room < entry.words.length) {
      all.push([])
      room = MAX_PARAMETER_CHARACTERS
    }
    all.at(-1)?.push(entry)
    room -= entry.words.length
  }
  return all
}
