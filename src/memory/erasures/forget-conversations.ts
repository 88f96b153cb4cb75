import type { Database } from '../../core/database/database.ts'
import { eraseInPages } from '../../core/database/erase-in-pages.ts'
import { sql } from '../../core/database/sql.ts'

const ENDED = sql("exists (select 1 from erasures e where e.id = erasure_id and e.status <> 'running')", {})

/**
 * Deletes the conversations that ended erasures kept. Those of an erasure that broke off right after its end go with the next
 * sweep. True where there may be more.
 */
export const forgetConversations = (db: Database): Promise<boolean> => eraseInPages(db, 'erasure_conversations', ENDED)
