import { compiledOnce } from '../../core/database/database.ts'
import { emptyPage, PAGE_SLOTS, setSlot, type Page } from './page.ts'

/** A row of the table `pages`: a page without its vectors. */
export interface PageRow extends Record<string, SqlStorageValue> {
  page: number
  model: string
  dimension: number
  used: number
  newest_at: number
}

/** Columns that older versions of the service did not have. Their slots stay without. */
const LATER_COLUMNS = ['item_row integer', 'start_at integer', 'end_at integer', 'pieces blob']

/** False: there are no tables yet. Adds what tables of an older version lack. */
export function openTables(sql: SqlStorage): boolean {
  const [slots] = sql.exec<{ sql: string }>(`select sql from sqlite_master where name = 'slots'`)
  if (!slots) return false
  for (const column of LATER_COLUMNS) {
    const [name] = column.split(' ')
    if (!slots.sql.includes(` ${name} `)) sql.exec(`alter table slots add column ${column}`)
  }
  return true
}

/** A vector has a row of its own, so that a new one writes one row. */
export const createTables = (sql: SqlStorage): unknown =>
  sql.exec(`
    create table pages (page integer primary key, model text not null, dimension integer not null,
      used integer not null, newest_at integer not null);
    create index pages_by_model on pages (model, newest_at);
    create table slots (slot integer primary key, item text not null, version integer not null,
      chunk integer not null, namespace text not null, scale real not null, vector blob not null,
      ${LATER_COLUMNS.join(', ')});
    create index slots_by_item on slots (item);`)

type SlotTuple = [
  slot: number,
  scale: number,
  item: string,
  row: number | null,
  version: number,
  chunk: number,
  start: number | null,
  end: number | null,
  namespace: string,
  pieces: number,
]

/**
 * Reads slots as one row, because each row of an answer costs more than its reading. `group_concat` of bytes cast to text
 * is safe: neither it nor the cast changes them.
 */
const slotsWhere = (condition: string): string => `
  select json_group_array(json_array(slot, scale, item, item_row, version, chunk, start_at, end_at, namespace,
      coalesce(length(pieces), 0) / 2)) as slots,
    cast(group_concat(cast(vector as text), '') as blob) as vectors,
    cast(group_concat(cast(pieces as text), '') as blob) as pieces
  from (select * from slots where ${condition} order by slot)`

const SLOTS_OF_PAGE = compiledOnce(slotsWhere('slot >= ? and slot < ?'))
const SLOTS_OF_LIST = compiledOnce(slotsWhere('slot in (select value from json_each(?))'))

interface SlotsRow extends Record<string, SqlStorageValue> {
  slots: string
  vectors: ArrayBuffer
  pieces: ArrayBuffer | null
}

/** Reads a page. */
export function readPage(sql: SqlStorage, row: PageRow): Page {
  const first = row.page * PAGE_SLOTS
  const page = emptyPage(row.model, row.dimension)
  page.used = row.used
  page.newestAt = row.newest_at
  return fill(page, sql.exec<SlotsRow>(SLOTS_OF_PAGE, first, first + PAGE_SLOTS).one(), (slot) => slot - first)
}

/** Reads up to 64 slots of any pages, all of this model and dimension, into a page that is none of the object's. */
export function readSlots(sql: SqlStorage, model: string, dimension: number, slots: readonly number[]): Page {
  const row = sql.exec<SlotsRow>(SLOTS_OF_LIST, JSON.stringify(slots)).one()
  return fill(emptyPage(model, dimension), row, (_, nth) => nth)
}

function fill(page: Page, row: SlotsRow, indexOf: (slot: number, nth: number) => number): Page {
  const bytes = new Int8Array(row.vectors)
  const tuples: SlotTuple[] = JSON.parse(row.slots)
  const indexes = tuples.map(([slot], nth) => indexOf(slot, nth))
  tuples.forEach(([, scale, item, row, version, chunk, start, end, namespace], nth) => {
    const index = indexes[nth] ?? 0
    setSlot(page, index, { item, row, version, chunk, start, end, namespace })
    page.scales[index] = scale
    page.vectors.set(bytes.subarray(nth * page.dimension, (nth + 1) * page.dimension), index * page.dimension)
  })
  const lengths = tuples.map((tuple) => tuple[9])
  page.pieces.setAll(new Uint16Array(row.pieces ?? new ArrayBuffer()), indexes, lengths)
  return page
}
