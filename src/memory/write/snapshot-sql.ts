import type { AuthContext, Principal } from '../../core/context.ts'
import type { Statement } from '../../core/database/database.ts'
import { joined, sql } from '../../core/database/sql.ts'
import { memberOfProject } from '../../identity/index.ts'
import { ACCESS_JOINS, accessParams, alive, held, manageable, readableBy, writable } from '../access.ts'
import { byTurn, TURN_OF_ITEM } from '../conversations/turn-sql.ts'
import { itemColumnsIf } from '../item-columns.ts'
import { anyItemColumns } from '../retirement/any-item-columns.ts'
import type { Keys } from './snapshot-keys.ts'
import { STORED_COST } from './stored-costs.ts'

const byIds = (ids: string, named: 0 | 1): string =>
  `select i.row, ${named} as named from json_each(${ids}) e cross join memory_items i on i.id = e.value and ${held()}`
/** Items that an operation names by id, and those that a store supersedes, whose texts stay as they are. */
const [BY_ID, BY_SUPERSEDED] = [byIds(':ids', 1), byIds(':superseded', 0)]
/** Items that hold the `custom_id` of a store. */
const BY_CUSTOM_ID = `select i.row, 1 as named from json_each(:custom_ids) e cross join memory_items i on i.project_id = e.value ->> 0
  and i.namespace = e.value ->> 1 and i.custom_id = e.value ->> 2 and ${held()}`
/**
 * One item for each text. It leaves out items that an operation names by id or by `custom_id`, since that operation may
 * change their text.
 */
const byText = (principal: Principal): string => `select i.row, 1 as named from json_each(:texts) e
  cross join projects p on p.id = e.value ->> 0 and p.tenant_id = :tenant and p.deleted_at is null
  ${memberOfProject(':caller')}
  cross join memory_items i on i.row = (select d.row from memory_items d
    where d.project_id = p.id and d.namespace = e.value ->> 1 and d.text_hash = e.value ->> 2 and d.subject is e.value ->> 3
      and d.id not in (select value from json_each(:ids))
      and (d.custom_id is null or not exists (select 1 from json_each(:custom_ids) n
        where n.value ->> 0 = d.project_id and n.value ->> 1 = d.namespace and n.value ->> 2 = d.custom_id))
      and ${alive('d')} and ${readableBy(principal, 'd')} limit 1)`
/** The items that hold the custom ids which updates would give to other items. Nobody sees or changes their texts. */
const BY_MOVE = `select i.row, 0 as named from json_each(:moves) e cross join memory_items o on o.id = e.value ->> 0
  cross join memory_items i on i.project_id = o.project_id and i.namespace = coalesce(e.value ->> 1, o.namespace)
  and i.custom_id = coalesce(e.value ->> 2, o.custom_id) and i.row <> o.row and ${held()}`

/**
 * The items that the look-ups find, each once. Where they cost more than `:max_cost` together (null: no bound), all come
 * without their texts and metadata. So does one that the caller may not read, and one that no operation names.
 */
const itemsOf = (principal: Principal, lookUps: readonly string[]): string => `
  with found as materialized (select row, max(named) as named from (${lookUps.join(' union all ')}) group by row),
  stored as materialized (
    select i.row, ${readableBy(principal)} as is_readable, ${writable()} as is_writable, ${manageable()} as is_manageable,
      named, ${STORED_COST} as bytes
    from found cross join memory_items i on i.row = found.row ${ACCESS_JOINS}),
  together as materialized (
    select :max_cost is null or coalesce(sum(bytes) filter (where is_readable and named), 0) <= :max_cost as fit from stored)
  select ${anyItemColumns(principal, itemColumnsIf('fit and is_readable and named'))}, i.text_hash, i.text_version, i.text_by, i.text_at, i.vector_version,
    i.updated_by, ${TURN_OF_ITEM} as turn, (i.expires_at is not null and i.expires_at <= :now) as is_expired, is_readable, is_writable, is_manageable,
    iif(is_readable and named, bytes, 0) as cost, fit
  from stored cross join together cross join memory_items i on i.row = stored.row ${ACCESS_JOINS}`

export const ROLES = `select p.id, m.role from json_each(:projects) e
  cross join projects p on p.id = e.value and p.tenant_id = :tenant and p.deleted_at is null ${memberOfProject(':caller')}`

/** Members among `[project or null, item or null, user]`; an item stands for its project. */
export const MEMBERS = `select p.id as project_id, m.user_id from json_each(:grantees) e
  cross join projects p on p.tenant_id = :tenant
    and p.id = coalesce(e.value ->> 0, (select project_id from memory_items where id = e.value ->> 1))
  cross join workspace_members m on m.workspace_id = p.workspace_id and m.user_id = e.value ->> 2`

/** One statement, or none where the operations touch no item. */
export function itemStatements(ctx: AuthContext, keys: Keys, maxCost: number | null): Statement[] {
  const { db, principal } = ctx
  // The same commit retires superseded items, so no stored text gives way to theirs.
  const ids = JSON.stringify(keys.texts.length > 0 ? [...keys.ids, ...keys.superseded] : keys.ids)
  const custom_ids = JSON.stringify(keys.customIds)
  const lookUps = [
    ...(ids !== '[]' ? [sql(BY_ID, { ids })] : []),
    ...(keys.superseded.length > 0 ? [sql(BY_SUPERSEDED, { superseded: JSON.stringify(keys.superseded) })] : []),
    ...(keys.customIds.length > 0 ? [sql(BY_CUSTOM_ID, { custom_ids })] : []),
    ...(keys.turns.length > 0 ? [sql(byTurn(held()), { turns: JSON.stringify(keys.turns) })] : []),
    ...(keys.texts.length > 0 ? [sql(byText(principal), { texts: JSON.stringify(keys.texts), ids, custom_ids })] : []),
    ...(keys.moves.length > 0 ? [sql(BY_MOVE, { moves: JSON.stringify(keys.moves) })] : []),
  ]
  if (lookUps.length === 0) return []
  const text = itemsOf(
    principal,
    lookUps.map((lookUp) => lookUp.sql),
  )
  return [db.statement(text, joined(accessParams(ctx), { max_cost: maxCost }, ...lookUps.map(({ params }) => params)))]
}
