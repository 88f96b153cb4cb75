import { emptyPage, PAGE_SLOTS, type Page } from './page.ts'
import { fillSlots, NUMBERS, pieceLengths, type Run } from './runs.ts'

/** A row of the table `pages`: a page without its vectors. */
export interface PageRow extends Record<string, SqlStorageValue> {
  page: number
  model: string
  dimension: number
  used: number
  newest_at: number
}

/** Where a run lies. */
export interface RunSlots extends Record<string, SqlStorageValue> {
  /** The first slot. */
  slot: number
  length: number
}

/**
 * The code before runs has a table `slots` instead. After a rollback to that code it finds no vectors here, and what it
 * stores or deletes fails, so that no vector is left behind (docs/operations.md). That code looks for the names of columns
 * between spaces.
 */
const SLOTS = `
  create view slots as
    select slot, item , item_row , version, chunk, namespace, null as scale, null as start_at , null as end_at ,
      vectors as vector, pieces from runs where false;`

export const CREATE_RUNS = `
  create table runs (slot integer primary key, length integer not null, item text not null, item_row integer,
    version integer not null, chunk integer not null, namespace text not null, numbers blob not null,
    vectors blob not null, pieces blob, reader text, turn_words integer);
  create index runs_by_item on runs (item);
  ${SLOTS}`

/** A store writes its own runs alone: a row for each gap of a page that its chunks fill. */
export const createTables = (sql: SqlStorage): unknown =>
  sql.exec(`
    create table pages (page integer primary key, model text not null, dimension integer not null,
      used integer not null, newest_at integer not null);
    create index pages_by_model on pages (model, newest_at);
    ${CREATE_RUNS}`)

export function insertRun(sql: SqlStorage, slot: number, run: Run): void {
  const { item, row, version, chunk, namespace, reader, turnWords, length, numbers, vectors, pieces } = run
  sql.exec(
    `insert into runs (slot, length, item, item_row, version, chunk, namespace, numbers, vectors, pieces, reader, turn_words)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    slot,
    length,
    item,
    row,
    version,
    chunk,
    namespace,
    numbers.buffer,
    vectors.buffer,
    pieces.length > 0 ? pieces.buffer : null,
    reader,
    turnWords,
  )
}

type RunTuple = [
  slot: number,
  length: number,
  item: string,
  row: number | null,
  version: number,
  chunk: number,
  namespace: string,
  reader: string | null,
  turnWords: number | null,
]

/**
 * Reads runs as one row, because each row of an answer costs more than its reading. `group_concat` of bytes cast to text
 * is safe: neither it nor the cast changes them.
 */
const runsWhere = (condition: string): string => `
  select json_group_array(json_array(slot, length, item, item_row, version, chunk, namespace, reader, turn_words)) as runs,
    cast(group_concat(cast(numbers as text), '') as blob) as numbers,
    cast(group_concat(cast(vectors as text), '') as blob) as vectors,
    cast(group_concat(cast(pieces as text), '') as blob) as pieces
  from (select * from runs where ${condition} order by slot)`

const RUNS_OF_PAGE = runsWhere('slot >= +? and slot < +?')
const RUNS_OF_LIST = runsWhere('slot in (select value from json_each(+?))')

interface RunRow extends RunSlots {
  item: string
  item_row: number | null
  version: number
  chunk: number
  namespace: string
  reader: string | null
  turn_words: number | null
  dimension: number
  numbers: ArrayBuffer
  vectors: ArrayBuffer
}

interface RunsRow extends Record<string, SqlStorageValue> {
  runs: string
  numbers: ArrayBuffer
  vectors: ArrayBuffer
  pieces: ArrayBuffer | null
}

/** Runs in these slots (SQL with one parameter), without their pieces. */
export const runsIn = (sql: SqlStorage, slots: string, list: string): Run[] =>
  sql
    .exec<RunRow>(
      `select r.*, p.dimension from runs r cross join pages p on p.page = r.slot / ${PAGE_SLOTS} where r.slot in (${slots})`,
      list,
    )
    .toArray()
    .map(({ item, item_row, version, chunk, namespace, reader, turn_words, length, dimension, ...blobs }) => ({
      item,
      row: item_row,
      version,
      chunk,
      namespace,
      reader,
      turnWords: turn_words,
      length,
      dimension,
      numbers: new Float64Array(blobs.numbers),
      vectors: new Int8Array(blobs.vectors),
      pieces: new Uint16Array(0),
    }))

/** Reads a page. */
export function readPage(sql: SqlStorage, row: PageRow): Page {
  const first = row.page * PAGE_SLOTS
  const page = emptyPage(row.model, row.dimension)
  page.used = row.used
  page.newestAt = row.newest_at
  return fill(page, sql.exec<RunsRow>(RUNS_OF_PAGE, first, first + PAGE_SLOTS).one(), (slot) => slot - first)
}

/** Reads runs of any pages, with up to 64 chunks of this model and dimension, into a page that is none of the object's. */
export function readRuns(sql: SqlStorage, model: string, dimension: number, runs: readonly RunSlots[]): Page {
  const row = sql.exec<RunsRow>(RUNS_OF_LIST, JSON.stringify(runs.map(({ slot }) => slot))).one()
  return fill(emptyPage(model, dimension), row, (_, before) => before)
}

/** `firstOf`: where a run begins in the page, by its slot and the number of chunks before it in the row. */
function fill(page: Page, row: RunsRow, firstOf: (slot: number, before: number) => number): Page {
  const { dimension } = page
  const [allNumbers, allVectors] = [new Float64Array(row.numbers), new Int8Array(row.vectors)]
  const tuples: RunTuple[] = JSON.parse(row.runs)
  const filled: number[] = []
  for (const [slot, length, item, itemRow, version, chunk, namespace, reader, turnWords] of tuples) {
    const before = filled.length
    const first = firstOf(slot, before)
    const numbers = allNumbers.subarray(before * NUMBERS, (before + length) * NUMBERS)
    const vectors = allVectors.subarray(before * dimension, (before + length) * dimension)
    fillSlots(page, first, {
      item,
      row: itemRow,
      version,
      chunk,
      namespace,
      reader,
      turnWords,
      length,
      numbers,
      vectors,
    })
    for (let nth = 0; nth < length; nth++) filled.push(first + nth)
  }
  const lengths = pieceLengths({ numbers: allNumbers, length: filled.length })
  page.pieces.setAll(new Uint16Array(row.pieces ?? new ArrayBuffer()), filled, lengths)
  return page
}
