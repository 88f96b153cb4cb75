import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { filedPostings, FILING_JOINS, FORM } from '../../src/memory/keyword/index-form.ts'
import { postingsOf } from '../../src/memory/keyword/postings.ts'
import { hasNormalNames } from '../../src/memory/names/normal-names.ts'
import { vocabulary } from './vocabulary.ts'

type Row = Record<string, SQLOutputValue>

/** D1 accepts statements of 100,000 bytes. */
const MAX_STATEMENT_BYTES = 90_000
/** The length of a part of a text in UTF-16 units, of up to three bytes each; the rest is for the statement. */
const PART_UNITS = 28_000
/** Tables that migrations, triggers or `keywordIndex` fill. The sockets that `presence` lists no longer exist. */
const NOT_COPIED = /^(sqlite_|_cf_|d1_migrations$|memory_words|memory_classes$|project_words$|presence$)/

/** The columns of an item that awaits its embedding: a restored service has no vectors. */
const UNEMBEDDED: Row = {
  embedding_status: 'pending',
  embedding_model: null,
  embedding_dimension: null,
  embedding_error: null,
  embedded_version: null,
  chunk_count: 0,
  attempts: 0,
  lease_id: null,
  lease_until: null,
  next_attempt_at: 0,
}

/**
 * An item that lives, as it is inserted: `keywordIndex` then has its words in the present form. One that has a name in another
 * form than NFC is due, so the service gives it its names.
 */
function restoredItem(row: Row): Row {
  const { length } = postingsOfItem(row)
  const name = (column: string): string | null => (typeof row[column] === 'string' ? row[column] : null)
  const isNamed = hasNormalNames({
    custom_id: name('custom_id'),
    conversation_id: name('conversation_id'),
    document_id: name('document_id'),
    session_id: name('session_id'),
    tags: name('tags') ?? '[]',
  })
  const indexed_version = isNamed ? (row['version'] ?? 0) : 0
  return { ...row, ...UNEMBEDDED, word_count: length, indexed_by: FORM, indexed_version }
}

/** A database from before the column has no dates. */
function postingsOfItem({ text = '', occurred_at: at }: Row): ReturnType<typeof postingsOf> {
  return postingsOf(String(text), typeof at === 'number' ? at : null, vocabulary())
}

/**
 * The statements, without semicolons, that fill a migrated, empty database: the rows of every table, then the keyword
 * index. A row may come before the row that it refers to.
 */
export function* importStatements(database: DatabaseSync): Generator<string> {
  yield 'pragma defer_foreign_keys = true'
  const tables = tablesOf(database)
  for (const table of tables) {
    const key = columnsOf(database, table, 'pk > 0')
    // Generated columns are not among them.
    const stored = columnsOf(database, table)
      .map((column) => `"${column}"`)
      .join(', ')
    for (const row of database.prepare(`select ${stored} from "${table}"`).iterate()) {
      const restored = table === 'memory_items' && row['deleted_at'] === null ? restoredItem(row) : row
      yield* insert(table, key, restored)
    }
  }
  if (tables.includes('memory_items')) yield* keywordIndex(database)
}

/** The tables whose rows a backup holds. */
export const tablesOf = (database: DatabaseSync): string[] =>
  database
    .prepare(`select name from sqlite_schema where type = 'table' order by name`)
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !NOT_COPIED.test(name))

const columnsOf = (database: DatabaseSync, table: string, where = '1'): string[] =>
  database
    .prepare(`select name from pragma_table_info('${table}') where ${where}`)
    .all()
    .map(({ name }) => String(name))

/** Inserts a row. If the statement would be too long, its longest texts follow in parts. */
function* insert(table: string, key: readonly string[], row: Row): Generator<string> {
  const short = { ...row }
  const cut: string[] = []
  while (Buffer.byteLength(insertSql(table, short)) > MAX_STATEMENT_BYTES) {
    const longest = Object.keys(short).reduce((a, b) => (lengthOf(short[b]) > lengthOf(short[a]) ? b : a))
    cut.push(longest)
    short[longest] = ''
  }
  yield insertSql(table, short)
  const where = key.map((column) => `"${column}" = ${literal(row[column] ?? null)}`).join(' and ')
  for (const column of cut) {
    for (const part of parts(String(row[column]))) {
      yield `update "${table}" set "${column}" = "${column}" || ${literal(part)} where ${where}`
    }
  }
}

const insertSql = (table: string, row: Row): string =>
  `insert into "${table}" (${Object.keys(row)
    .map((column) => `"${column}"`)
    .join(', ')}) values (${Object.values(row).map(literal).join(', ')})`

const lengthOf = (value: SQLOutputValue | undefined): number => (typeof value === 'string' ? value.length : 0)

function* parts(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const end = at + PART_UNITS
    // A part must not end within a surrogate pair.
    const next = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end
    yield text.slice(at, next)
    at = next
  }
}

function literal(value: SQLOutputValue): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`
  return String(value)
}

/** Builds the keyword index from the texts: D1 exports no virtual table. A long entry is collected in a table first. */
function* keywordIndex(database: DatabaseSync): Generator<string> {
  yield 'create table restored_words (row integer primary key, words text not null)'
  for (const item of database.prepare('select * from memory_items where deleted_at is null').iterate()) {
    const { row = null } = item
    const words = postingsOfItem(item).postings
    const whole = fill(row, literal(words), '')
    if (Buffer.byteLength(whole) <= MAX_STATEMENT_BYTES) yield whole
    else {
      yield* insert('restored_words', ['row'], { row, words })
      yield fill(row, 'r.words', 'cross join restored_words r on r.row = i.row')
    }
  }
  yield 'drop table restored_words'
}

const fill = (row: SQLOutputValue, words: string, joins: string): string =>
  `insert into memory_words (rowid, words) select i.row, ${filedPostings(words)} from memory_items i ${FILING_JOINS} ${joins} where i.row = ${literal(row)}`
