import { getTableColumns } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'

/** Some columns of a table by name: what a `query` selects, and what types its rows (`keyof typeof COLUMNS`). */
export const columnsOf = <Table extends SQLiteTable, Name extends keyof Table['_']['columns'] & string>(
  table: Table,
  ...names: Name[]
): Pick<Table['_']['columns'], Name> => {
  const columns = getTableColumns(table)
  return Object.fromEntries(names.map((name) => [name, columns[name]])) as Pick<Table['_']['columns'], Name>
}

/** The same columns as a list for SQL, under the alias that the statement gives their table. */
export const selectList = (columns: Record<string, SQLiteColumn>, alias?: string): string =>
  Object.values(columns)
    .map(({ name }) => (alias === undefined ? name : `${alias}.${name}`))
    .join(', ')
