import { CREATE_RUNS, insertRun } from './runs-table.ts'

/** A row of the table `slots`. The first versions of the service lacked the columns that may be undefined. */
interface Slot extends Record<string, SqlStorageValue> {
  slot: number
  item: string
  item_row?: number | null
  version: number
  chunk: number
  namespace: string
  scale: number
  vector: ArrayBuffer
  start_at?: number | null
  end_at?: number | null
  pieces?: ArrayBuffer | null
}

/** Brings the tables of older versions into the present form. */
export function convertOlderTables(storage: DurableObjectStorage): void {
  convertSlots(storage)
  addColumns(storage.sql)
}

/**
 * Older versions stored no readers, and no words of turns. An object that has no readers answers as those did until a sweep
 * sets them. A turn whose words are unknown is not charged until it is embedded again.
 */
function addColumns(sql: SqlStorage): void {
  const [runs] = sql.exec<{ sql: string }>(`select sql from sqlite_master where type = 'table' and name = 'runs'`)
  if (!runs) return
  if (!runs.sql.includes(' reader ')) sql.exec('alter table runs add column reader text')
  if (!runs.sql.includes(' turn_words ')) sql.exec('alter table runs add column turn_words integer')
}

/** The first versions stored each vector as a row of the table `slots`. Each becomes a run of one chunk, in the slot that it has. */
function convertSlots(storage: DurableObjectStorage): void {
  const { sql } = storage
  const tables = sql.exec(`select name from sqlite_master where type = 'table' and name = 'slots'`).toArray()
  if (tables.length === 0) return
  storage.transactionSync(() => {
    sql.exec(`alter table slots rename to older_slots; ${CREATE_RUNS}`)
    for (const { slot, item, item_row, version, chunk, namespace, ...of } of sql.exec<Slot>(
      'select * from older_slots',
    )) {
      const vectors = new Int8Array(of.vector)
      const pieces = new Uint16Array(of.pieces ?? new ArrayBuffer())
      insertRun(sql, slot, {
        item,
        row: item_row ?? null,
        version,
        chunk,
        namespace,
        reader: null,
        turnWords: null,
        length: 1,
        numbers: Float64Array.of(of.scale, of.start_at ?? NaN, of.end_at ?? NaN, pieces.length),
        dimension: vectors.length,
        vectors,
        pieces,
      })
    }
    sql.exec('drop table older_slots')
  })
}
