import type { Database } from '../../core/database/database.ts'
import { sql } from '../../core/database/sql.ts'
import { countedBy, eventsNaming } from '../../events/index.ts'
import type { Counts } from './erasure.ts'
import { ITEMS_OF, placeParams, type ErasurePlace } from './place.ts'
import type { ErasureKind } from './table.ts'

const itemsOf = (kind: ErasureKind): string => `
  select count(*) as items, count(i.retired_at) as retired, coalesce(sum(i.chunk_count), 0) as vectors,
    coalesce(sum((select count(*) from memory_versions v where v.item_row = i.row)), 0) as versions
  from ${ITEMS_OF[kind]}`

/** The conversations that have no item besides those of the place. */
const conversationsOf = (kind: ErasureKind): string => `
  select i.project_id, i.conversation_id from ${ITEMS_OF[kind]} where i.conversation_id is not null
    and not exists (select 1 from memory_items o where o.project_id = i.project_id and o.conversation_id = i.conversation_id
      and o.deleted_at is null and o.${kind} is not i.${kind})
    and not exists (select 1 from memory_items o where o.project_id = i.project_id and o.conversation_id = i.conversation_id
      and o.retired_at is not null and o.${kind} is not i.${kind})`

type EventCounts = Pick<Counts, 'events' | 'deliveries'>

/** Counts what an erasure would erase. */
export async function countPlace(db: Database, place: ErasurePlace): Promise<Counts> {
  const params = placeParams(place)
  const conversations = sql(conversationsOf(place.kind), params)
  const events = countedBy(
    eventsNaming({ kind: place.kind, name: place.name, projectIds: params.project_ids, conversations }),
  )
  const [[items], [named]] = await db.batch<[Omit<Counts, keyof EventCounts>, EventCounts]>([
    db.statement(itemsOf(place.kind), params),
    db.statement(events.sql, events.params),
  ])
  return { items: 0, retired: 0, versions: 0, vectors: 0, events: 0, deliveries: 0, ...items, ...named }
}
