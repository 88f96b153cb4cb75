import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** A digit of base 36 of the column `code`. */
const digit = (unit: number): string => `substr('0123456789abcdefghijklmnopqrstuvwxyz', code / ${unit} % 36 + 1, 1)`

/**
 * The items that the same people may read: those of a namespace that the whole project may, and the private ones of each
 * creator. The keyword index files words by class. Triggers keep the rows, and none is empty.
 */
export const memory_classes = sqliteTable(
  'memory_classes',
  {
    code: integer().primaryKey({ autoIncrement: true }),
    project_id: text().notNull(),
    namespace: text().notNull(),
    /** The creator of private items; empty: items with visibility `project`. */
    reader: text().notNull(),
    /** Its live items and their words. */
    items: integer().notNull(),
    words: integer().notNull(),
    /** `code` in base 36, as the keyword index has it: always six characters. */
    name: text().generatedAlwaysAs(sql.raw([36 ** 5, 36 ** 4, 36 ** 3, 36 ** 2, 36, 1].map(digit).join(' || ')), {
      mode: 'virtual',
    }),
  },
  (t) => [
    uniqueIndex('memory_classes_by_place').on(t.project_id, t.reader, t.namespace),
    index('memory_classes_by_namespace').on(t.project_id, t.namespace),
  ],
)
