import { filedAs, readerOf, turnWordsOf } from './filing-sql.ts'

/** The statements of embedding. Each takes its items as one JSON array, and changes only those under the lease `:lease`. */

/** After this another consumer may claim the item. A live consumer renews its lease (`RENEW_EVERY_MS`). */
export const LEASE_MS = 30_000
/** Attempts on one text before it is `failed`: with the back-off, about five hours without an answer of the model. */
export const MAX_ATTEMPTS = 14

/** Texts of one claim, with the one that passes it: 1 MiB is read and answered in about 13 ms of the database. */
export const MAX_CLAIMED_BYTES = 1024 * 1024

/** Claims the items of `:ids` in order as long as their texts are not too large together. */
export const CLAIM = `
  update memory_items set embedding_status = 'processing', lease_id = :lease, lease_until = :now + ${LEASE_MS},
    next_attempt_at = :now + ${LEASE_MS}, attempts = attempts + 1
  where row in (
    select row from (
      select row, sum(size) over (order by at rows between unbounded preceding and 1 preceding) as before from (
        select i.row, j.key as at, octet_length(i.text) as size from json_each(:ids) j cross join memory_items i on i.id = j.value
          cross join projects p on p.id = i.project_id and p.deleted_at is null
        where i.deleted_at is null and (i.expires_at is null or i.expires_at > :now)
          and (i.embedding_status = 'pending' or (i.embedding_status = 'processing' and i.lease_until <= :now))))
    where before is null or before < ${MAX_CLAIMED_BYTES})
  returning row, id, tenant_id, project_id, namespace, ${readerOf('memory_items')} as reader, ${turnWordsOf('memory_items')} as turn_words, text, octet_length(text) as bytes, vector_version, attempts`

/** Answers those of `:ids` that the lease still holds. `next_attempt_at` stays: two indexes have it. */
export const RENEW = `
  update memory_items set lease_until = :now + ${LEASE_MS}
  where id in (select value from json_each(:ids)) and lease_id = :lease and embedding_status = 'processing' and deleted_at is null
  returning id`

/** `:items` holds `{id, version, chunks, dimension, reader}` each; a null reader: its vectors have none. */
export const COMPLETE = `
  update memory_items set embedding_status = 'completed', embedded_version = vector_version, embedding_model = :model,
    embedding_dimension = done.dimension, embedding_error = null, attempts = 0, lease_until = null, chunk_count = done.chunks,
    filed_as = ${filedAs('memory_items', 'done.reader')}
  from (
    select i.row as item, j.value ->> 'chunks' as chunks, j.value ->> 'dimension' as dimension, j.value ->> 'reader' as reader
    from json_each(:items) j cross join memory_items i on i.id = j.value ->> 'id'
      cross join projects p on p.id = i.project_id and p.deleted_at is null
    where i.deleted_at is null and i.embedding_status = 'processing' and i.lease_id = :lease
      and i.vector_version = j.value ->> 'version'
    limit -1) done
  where memory_items.row = done.item
  returning id`

/** Source of the events of `COMPLETE`, with its `:items`. */
export const COMPLETED = `
  select i.id as memory_id, i.project_id, i.namespace, i.scope, i.conversation_id, i.occurred_at, i.version, i.visibility,
    i.created_by as creator, i.kind, null as reason, null as change, null as superseded_by,
    (select json_group_array(g.user_id) from memory_grants g where g.item_row = i.row) as readers
  from json_each(:items) j cross join memory_items i on i.id = j.value ->> 'id'
  where i.lease_id = :lease and i.embedding_status = 'completed'`

/** Those of the `:items` of `COMPLETE` whose embedding has become obsolete: their item is gone or has a newer version. */
export const OBSOLETE = `
  select j.value ->> 'id' as id from json_each(:items) j left join memory_items i on i.id = j.value ->> 'id'
  left join projects p on p.id = i.project_id
  where i.row is null or i.deleted_at is not null or p.deleted_at is not null or i.vector_version > j.value ->> 'version'`

/** `:failed`: those of `:ids` that no attempt follows. `:uncounted`: the attempt does not count. It is 0 or 1. */
export const FAIL_ATTEMPT = `
  update memory_items set lease_until = null, embedding_error = :error, next_attempt_at = :next_attempt_at, attempts = attempts - :uncounted,
    embedding_status = iif(id in (select value from json_each(:failed)), 'failed', 'pending')
  where id in (select value from json_each(:ids)) and lease_id = :lease and embedding_status = 'processing'
  returning id`

/** `:error` is for those that no attempt has left one. */
export const POSTPONE = `
  update memory_items set next_attempt_at = :next_attempt_at, embedding_error = coalesce(embedding_error, :error)
  where id in (select value from json_each(:ids)) and embedding_status = 'pending' and deleted_at is null`
