import type { Database, Statement } from '../../core/database/database.ts'

/**
 * D1 has no statement that rolls a batch back, so this one fails on purpose: unless all the items bear the stamp
 * `writeId`, it parses a text that is no JSON. SQLite then fails with "malformed JSON" and D1 undoes the whole batch.
 */
export const abortUnlessAllWritten = (db: Database, itemIds: readonly string[], writeId: string): Statement =>
  db.statement(
    `select json('incomplete') where (select count(*) from json_each(?1) e
      cross join memory_items i on i.id = e.value where i.write_id = ?3) < ?2`,
    JSON.stringify(itemIds),
    itemIds.length,
    writeId,
  )

/** The error is the one of `abortUnlessAllWritten`: an item lost a race, and the batch wrote nothing. */
export const isAborted = (error: unknown): boolean => error instanceof Error && /malformed JSON/.test(error.message)
