import type { Principal } from '../../core/context.ts'
import { present, readableBy } from '../access.ts'
import { ITEM_COLUMNS } from '../item-columns.ts'
import { GONE } from './retired-fields.ts'

/**
 * SQL: the columns of `RetiredColumns`, with `superseded_by` as the principal may see it. A current item costs no look-up. A
 * successor is in the project of its item, so the item's `ACCESS_JOINS` hold for both.
 */
const retiredColumns = (principal: Principal): string => `
  iif(i.deleted_at is null, null, i.retired_at) as retired_at, iif(i.deleted_at is null, null, i.retired_reason) as retired_reason,
  case when i.deleted_at is null or i.superseded_by is null then null else nullif(coalesce((
    select iif(${readableBy(principal, 's')}, s.id, '') from memory_items s where s.id = i.superseded_by and ${present('s')}),
    '${GONE}'), '') end as superseded_by`

/** Selects an `ItemRow` from `memory_items i`, current or retired. It takes `readerParams` and `:now`. */
export const anyItemColumns = (principal: Principal, columns = ITEM_COLUMNS): string =>
  `${columns}, ${retiredColumns(principal)}`
