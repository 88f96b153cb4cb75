import { abortUnless } from '../../core/database/abort.ts'
import type { Database, Statement } from '../../core/database/database.ts'

/** Aborts the batch unless all the items bear the stamp `writeId`. */
export const abortUnlessAllWritten = (db: Database, itemIds: readonly string[], writeId: string): Statement =>
  abortUnless(
    db,
    `(select count(*) from json_each(?) e cross join memory_items i on i.id = e.value where i.write_id = ?) >= ?`,
    JSON.stringify(itemIds),
    writeId,
    itemIds.length,
  )
