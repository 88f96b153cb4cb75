import { abortUnless } from '../../core/database/abort.ts'
import type { Database, Statement } from '../../core/database/database.ts'
import { sql } from '../../core/database/sql.ts'

/** Aborts the batch unless all the items bear the stamp `writeId`. */
export const abortUnlessAllWritten = (db: Database, itemIds: readonly string[], writeId: string): Statement =>
  abortUnless(
    db,
    sql(
      `(select count(*) from json_each(:ids) e cross join memory_items i on i.id = e.value where i.write_id = :write_id)
        >= :wanted`,
      { ids: JSON.stringify(itemIds), write_id: writeId, wanted: itemIds.length },
    ),
  )
