import type { Principal } from '../../core/context.ts'
import { present } from '../access.ts'
import { NEVER_ERASED } from '../table.ts'
import { guarded, ITEM_NOT_ERASED, RETURNING, stamped, unchanged, UNRETIRED } from './commit-sql.ts'

/** Makes retired items current. It runs before `UPDATE_ITEMS`, which writes their new version. */
export const RESTORE_ITEMS = `
  update memory_items set deleted_at = null, ${UNRETIRED}
  where row in (${guarded('i.row', ITEM_NOT_ERASED, `${present()} and i.retired_at is not null`)})`

const newValue = (name: string): string => `s.v ->> '${name}'`

/**
 * Retires items that the commit stamped. No lease holds them any more, a purge is to remove their vectors, and triggers take
 * their words out of the keyword index.
 */
export const RETIRE_ITEMS = `
  update memory_items set deleted_at = :now, retired_at = ${newValue('retired_at')}, retired_reason = ${newValue('retired_reason')},
    superseded_by = ${newValue('superseded_by')}, vectors_purged_at = ${NEVER_ERASED}, unpurged_version = vector_version,
    lease_id = null, lease_until = null, embedding_status = iif(embedding_status = 'processing', 'pending', embedding_status)
  from (${stamped('i.row as item, e.value as v')} limit -1) s where memory_items.row = s.item
  ${RETURNING}`

/** Stamps items that supersede others and that the commit does not change. */
export const stampSuccessors = (principal: Principal): string => `
  update memory_items set write_id = :write_id where row in (${unchanged(principal)}${ITEM_NOT_ERASED}) ${RETURNING}`
