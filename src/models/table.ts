import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The dimensions of models for which no setting names one, as two of their answers had them. */
export const embedding_models = sqliteTable('embedding_models', {
  model: text().primaryKey(),
  dimension: integer().notNull(),
  learnt_at: integer().notNull(),
})
