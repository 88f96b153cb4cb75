import type { SQLiteTable } from 'drizzle-orm/sqlite-core'

/** Some columns of a row as the schema has them: what a statement in SQL answers. */
export type RowOf<Table extends SQLiteTable, Name extends keyof Table['$inferSelect']> = Pick<
  Table['$inferSelect'],
  Name
>
