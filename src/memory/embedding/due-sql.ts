import { RESEND_AFTER_MS } from './queue.ts'

/** The statements that take what is due. What each reads does not depend on how many items wait. */

/** Items that are taken at once, of each of the two kinds. Their ids fit into one message (128 KB). */
export const MAX_DUE = 1_000
/** Authors whose items are taken at once. */
const MAX_AUTHORS = 1_000

const WAITS = "x.embedding_status in ('pending', 'processing') and x.deleted_at is null"

/** SQL: the first item that waits and that `where` admits, by project, author and the instant of its next attempt. */
const firstWaiting = (where = ''): string => `(
  select x.row from memory_items x indexed by memory_items_unembedded where ${WAITS} ${where}
  order by x.project_id, x.text_by, x.next_attempt_at, x.row limit 1)`

/**
 * Authors of what is due, in each project for itself. One step in the index leads from an author to the next one,
 * beginning with the author of what has been due longest, and round to the first.
 */
export const DUE_AUTHORS = `
  with authors(project_id, text_by) as (
    select * from (
      select x.project_id, x.text_by from memory_items x indexed by memory_items_to_embed
      where ${WAITS} and x.next_attempt_at <= :now order by x.next_attempt_at limit 1)
    union
    select i.project_id, i.text_by from authors a cross join memory_items i on i.row = coalesce(
      ${firstWaiting('and x.project_id = a.project_id and x.text_by > a.text_by')},
      ${firstWaiting('and x.project_id > a.project_id')},
      ${firstWaiting()})
    limit ${MAX_AUTHORS})
  select p.tenant_id, a.project_id, a.text_by from authors a cross join projects p on p.id = a.project_id
  where ${firstWaiting('and x.project_id = a.project_id and x.text_by = a.text_by and x.next_attempt_at <= :now')} is not null`

const OF_AUTHOR = 'and x.project_id = d.project_id and x.text_by = d.text_by'

/**
 * Takes of each author of `:shares`, `{project_id, text_by, share}` each, the items that have been due longest. One step in
 * the index leads from an item to the next one, as SQLite knows no limit for each group.
 */
export const TAKE_DUE = `
  with shares(project_id, text_by, share) as materialized (
    select cast(value ->> 'project_id' as text), cast(value ->> 'text_by' as text), value ->> 'share' from json_each(:shares)),
  due(row, project_id, text_by, at, share) as (
    select i.row, i.project_id, i.text_by, i.next_attempt_at, d.share
    from shares d cross join memory_items i on i.row = ${firstWaiting(`${OF_AUTHOR} and x.next_attempt_at <= :now`)}
    union all
    select i.row, i.project_id, i.text_by, i.next_attempt_at, d.share - 1
    from due d cross join memory_items i on i.row = coalesce(
      ${firstWaiting(`${OF_AUTHOR} and x.next_attempt_at = d.at and x.row > d.row`)},
      ${firstWaiting(`${OF_AUTHOR} and x.next_attempt_at > d.at and x.next_attempt_at <= :now`)})
    where d.share > 1
    limit ${MAX_DUE})
  update memory_items set next_attempt_at = :now + ${RESEND_AFTER_MS} where row in (select row from due)
  returning id, tenant_id, text_by`

/** One index search each. With `or`, `<>` or a comparison of pairs SQLite would scan all items in every sweep. */
const EMBEDDED_BY_ANOTHER = [
  'embedding_model < :model',
  'embedding_model > :model',
  'embedding_model = :model and embedding_dimension < :dimension',
  'embedding_model = :model and embedding_dimension > :dimension',
]
  .map((so) => `select row from memory_items where embedding_status = 'completed' and deleted_at is null and ${so}`)
  .join(' union all ')

/** Items that another model or another dimension embedded. A query's vector cannot find them, so they are embedded again. */
export const TAKE_OUTDATED = `
  update memory_items set embedding_status = 'pending', embedded_version = null, attempts = 0,
    next_attempt_at = :now + ${RESEND_AFTER_MS}
  where row in (${EMBEDDED_BY_ANOTHER} limit ${MAX_DUE})
  returning id, tenant_id, text_by`
