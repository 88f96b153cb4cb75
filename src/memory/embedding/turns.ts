import type { Database } from '../../core/database/database.ts'
import { inTurns } from '../../core/values/in-turns.ts'
import type { ItemRecord } from '../item.ts'

/** An item, and whose it is. */
export type Owned = Pick<ItemRecord, 'id' | 'tenant_id' | 'text_by'>

/** Those of `:ids` that wait for their embedding. */
const OWNERS = `
  select i.id, i.tenant_id, i.text_by from json_each(:ids) j cross join memory_items i on i.id = j.value
  where i.embedding_status in ('pending', 'processing') and i.deleted_at is null order by j.key`

/** Ids in the order in which tenants take turns, and within each tenant the authors of the texts. */
export const turnsOf = (items: readonly Owned[]): string[] =>
  inTurns(
    items,
    ({ tenant_id }) => tenant_id,
    ({ text_by }) => text_by,
  ).map(({ id }) => id)

/** The same for items of which only the ids are known. It leaves out those that wait for no embedding. */
export const readTurns = async (db: Database, ids: readonly string[]): Promise<string[]> =>
  turnsOf(await db.all<Owned>(OWNERS, { ids: JSON.stringify(ids) }))
