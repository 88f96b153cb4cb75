import type { Database } from '../../core/database/database.ts'
import { sql, type Sql } from '../../core/database/sql.ts'
import { countedBy, emptyStatements, eventsNaming, portionOf } from '../../events/index.ts'
import { placeParams } from './place.ts'
import type { Running } from './run.ts'

/** Events that one commit empties: each has up to 32 KiB of data. */
export const EVENT_ROWS = 200
/** Commits of one call. */
const MAX_PORTIONS = 10

/** Conversations of erased items that have no item left. */
const EMPTY_CONVERSATIONS = `
  select c.project_id, c.conversation_id from erasure_conversations c where c.erasure_id = :erasure
    and not exists (select 1 from memory_items i where i.project_id = c.project_id and i.conversation_id = c.conversation_id
      and i.deleted_at is null)
    and not exists (select 1 from memory_items i where i.project_id = c.project_id and i.conversation_id = c.conversation_id
      and i.retired_at is not null)`

/** Empties events that name what was erased. True where there may be more. */
export async function eraseEvents(db: Database, erasure: Running): Promise<boolean> {
  const named = eventsNaming({
    kind: erasure.kind,
    name: erasure.name,
    projectIds: placeParams(erasure).project_ids,
    conversations: sql(EMPTY_CONVERSATIONS, { erasure: erasure.id }),
  })
  for (let portion = 0; portion < MAX_PORTIONS && !(portion > 0 && db.isSpent); portion++)
    if (!(await emptyPortion(db, erasure.id, await portionOf(db, named, EVENT_ROWS)))) return false
  return true
}

/** Empties a portion of events and counts it in the receipt. False: there was none. */
export async function emptyPortion(db: Database, erasureId: string, events: Sql | null): Promise<boolean> {
  if (events === null) return false
  const counts = countedBy(events)
  await db.batch([
    db.statement(
      `update erasures set events = erasures.events + n.events, deliveries = erasures.deliveries + n.deliveries
       from (${counts.sql}) n where erasures.id = :erasure`,
      { ...counts.params, erasure: erasureId },
    ),
    ...emptyStatements(db, events),
  ])
  return true
}
