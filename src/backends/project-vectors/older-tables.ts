import { CREATE_RUNS } from './runs-table.ts'

/** Columns that the first versions of the service did not have. */
const LATER_COLUMNS = ['item_row integer', 'start_at integer', 'end_at integer', 'pieces blob']

/** Older versions stored each vector as a row of the table `slots`. Each becomes a run of one chunk, in the slot that it has. */
export function convertOlderTables(storage: DurableObjectStorage): void {
  const { sql } = storage
  const [slots] = sql.exec<{ sql: string }>(`select sql from sqlite_master where type = 'table' and name = 'slots'`)
  if (!slots) return
  storage.transactionSync(() => {
    for (const column of LATER_COLUMNS) {
      const [name] = column.split(' ')
      if (!slots.sql.includes(` ${name} `)) sql.exec(`alter table slots add column ${column}`)
    }
    sql.exec(`
      alter table slots rename to older_slots;
      ${CREATE_RUNS}
      insert into runs (slot, length, item, item_row, version, chunk, namespace, chunks, vectors, pieces)
      select slot, 1, item, item_row, version, chunk, namespace,
        json_array(json_array(scale, start_at, end_at, coalesce(length(pieces), 0) / 2)), vector, pieces
      from older_slots;
      drop table older_slots;`)
  })
}
