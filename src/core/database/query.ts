import { Column, fillPlaceholders, getTableColumns, is, sql, SQL, type SQLWrapper } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import type { SqlValue } from './sql-value.ts'

/** Builds statements. It has no connection: `Database` runs what it builds. */
const builder = drizzle(() => Promise.reject(new Error('Database runs the statements')))

/**
 * A statement of Drizzle's builder: `Params` are its parameters by name, `Row` is what it answers. Statements with joins,
 * CTEs, guards, lists of values or index hints stay SQL (docs/decisions.md).
 */
export interface Query<Params, Row> {
  readonly sql: string
  /** The values to bind, in the order of the statement. */
  values(params: Params): SqlValue[]
  /** Carries the type alone; it is never set. */
  readonly row?: Row
}

/** What every builder of a select, an insert, an update and a delete can do. */
interface Buildable extends SQLWrapper {
  toSQL(): { sql: string; params: unknown[] }
  getSelectedFields?(): Record<string, unknown>
}

type RowOf<Built> = Awaited<Built> extends readonly (infer Row)[] ? Row : never

/**
 * Declares a read or write of one table, typed by the schema. An isolate builds it once, at its first use. `build` gets
 * placeholders and no values. Rows come as D1 gives them, so a selected field is named as its column.
 * Example: `const byId = query((db, by: { id: string }) => db.select().from(sessions).where(eq(sessions.id, by.id)))`
 */
export function query<Params extends object, Built extends Buildable>(
  build: (db: typeof builder, params: Params) => Built,
): Query<Params, RowOf<Built>> {
  let compiled: { sql: string; params: unknown[] } | undefined
  const compile = () => (compiled ??= compiledFrom(build(builder, placeholders as Params)))
  return {
    get sql() {
      return compile().sql
    },
    values: (params) => fillPlaceholders(compile().params, params as Record<string, unknown>) as SqlValue[],
  }
}

/**
 * A whole row as the values of an insert, with a placeholder for each column of its table.
 * Example: `query((db, row: typeof sessions.$inferSelect) => db.insert(sessions).values(wholeRow(sessions, row)))`
 */
export const wholeRow = <Table extends SQLiteTable>(table: Table, row: Table['$inferSelect']): Table['$inferSelect'] =>
  Object.fromEntries(Object.keys(getTableColumns(table)).map((key) => [key, row[key]])) as Table['$inferSelect']

const placeholders = new Proxy({}, { get: (_, name) => sql.placeholder(String(name)) })

function compiledFrom(built: Buildable): { sql: string; params: unknown[] } {
  for (const [key, field] of Object.entries(built.getSelectedFields?.() ?? {})) {
    const name = nameOf(field)
    if (name !== key) throw new Error(`the field "${key}" is selected from "${name}": name it as its column`)
  }
  const { sql: text, params } = built.toSQL()
  // The plus is that of `compile` in sql.ts. No name of the schema has a question mark.
  return { sql: text.replaceAll('?', '+?'), params }
}

const nameOf = (field: unknown): string | null =>
  is(field, Column) ? field.name : is(field, SQL.Aliased) ? field.fieldAlias : null
