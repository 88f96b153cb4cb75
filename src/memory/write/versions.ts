import { member, stamped } from './commit-sql.ts'

/** Earlier texts that an item keeps (contract §3). */
export const MAX_VERSIONS = 50

export const INSERT_VERSIONS = `insert into memory_versions (item_row, version, text, written_by, written_at, written_via)
  ${stamped(`i.row, ${['version', 'text', 'written_by', 'written_at', 'written_via'].map(member).join(', ')}`)}`
export const TRIM_VERSIONS = `delete from memory_versions where rowid in (${stamped(
  'v.rowid',
  `cross join memory_versions v on v.item_row = i.row and v.version <= (
    select o.version from memory_versions o where o.item_row = i.row order by o.version desc limit 1 offset ${MAX_VERSIONS})`,
)})`
