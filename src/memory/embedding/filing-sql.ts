/** SQL: who may read an item: its creator, or '' for the whole project. */
export const readerOf = (item: string): string => `iif(${item}.visibility = 'project', '', ${item}.created_by)`

/** SQL: the words of an item that is a turn of a conversation; 0 of another item. */
export const turnWordsOf = (item: string): string => `iif(${item}.conversation_id is null, 0, ${item}.word_count)`

/** SQL: `filed_as` of an item whose vectors the lease of the row has stored with this reader. */
export const filedAs = (item: string, reader = readerOf(item)): string =>
  `coalesce(${item}.lease_id, '') || ':' || ${reader}`

/**
 * SQL: the vectors of an item were stored without a reader, or with another one, by an earlier version of the service. A later
 * attempt that failed has a lease of its own, so a failed item is due only if it was never filed.
 */
export const isUnfiled = (item: string): string =>
  `${item}.deleted_at is null and ${item}.embedded_version is not null and (${item}.embedding_status = 'completed' and ${item}.filed_as is not (${filedAs(item)}) or ${item}.embedding_status = 'failed' and ${item}.filed_as is null)`
