import { memberOfProject, rolesSql } from '../../identity/index.ts'
import type { Principal } from '../../core/context.ts'
import { ACCESS_JOINS, alive, readableBy, writable } from '../access.ts'
import { itemsOf } from './snapshot.ts'

/**
 * The statements of a commit. Each takes its rows as one JSON array and writes as a set. ?1 to ?4 are `accessValues`,
 * ?5 the JSON. The first three guard themselves and stamp `write_id`; the others follow the stamp.
 * Where many members of a row are read it is read as JSONB once: `json_each` writes the text anew for each reference.
 */

const member = (name: string): string => `e.value ->> '${name}'`

const INSERTED = [
  'namespace',
  'scope',
  'conversation_id',
  'document_id',
  'session_id',
  'text_hash',
  'word_count',
  'type',
  'ttl',
  'expires_at',
  'custom_id',
  'visibility',
  'version',
  'text_version',
  'text_by',
  'text_at',
  'vector_version',
  'next_attempt_at',
  'created_by',
  'updated_by',
  'created_at',
  'updated_at',
  'deleted_at',
  'delete_reason',
  'tags',
  'metadata',
  'text',
]

const RETURNED = 'returning id, embedding_status, embedding_model, embedding_error'

/**
 * New items. ?6 write_id, ?7 and ?8 path and key of the idempotency key that must be held (or null), ?9 the quota (or
 * null). An item gives way to a `custom_id` that was taken, or (`deduplicate`) to an equal text, that somebody else
 * committed meanwhile.
 */
export const insertItems = (principal: Principal): string => `
  insert into memory_items (id, tenant_id, project_id, write_id, ${INSERTED.join(', ')})
  select ${member('id')}, p.tenant_id, p.id, ?6, ${INSERTED.map(member).join(', ')}
  from (select key, jsonb(value) as value from json_each(?5) limit -1) e
  cross join projects p on p.id = ${member('project_id')} and p.tenant_id = ?2 and p.deleted_at is null
  ${memberOfProject('?1')}
  where m.role in (${rolesSql('write')})
    and (?8 is null or exists (select 1 from idempotency_keys k
      where k.tenant_id = ?2 and k.user_id = ?1 and k.path = ?7 and k.key = ?8 and k.write_id = ?6))
    and (?9 is null or (${itemsOf('?2')}) + e.key < ?9)
    and (not ${member('deduplicate')} or not exists (select 1 from memory_items d
      where d.project_id = p.id and d.namespace = ${member('namespace')} and d.text_hash = ${member('text_hash')}
        and d.text = ${member('text')} and d.write_id <> ?6 and ${alive('d')} and ${readableBy(principal, 'd')}))
  on conflict (project_id, namespace, custom_id) where custom_id is not null and deleted_at is null do nothing
  ${RETURNED}`

/** Rows of `json_each` whose item is as the plan found it and may be changed by the caller now. */
const guarded = (columns: string): string => `
  select ${columns} from json_each(?5) e
  cross join memory_items i on i.id = ${member('id')} ${ACCESS_JOINS}
  where i.version = ${member('base')} and ${alive()} and ${writable()}
    and (?8 is null or exists (select 1 from idempotency_keys k
      where k.tenant_id = ?2 and k.user_id = ?1 and k.path = ?7 and k.key = ?8 and k.write_id = ?6))`

const UPDATED = [
  'namespace',
  'scope',
  'conversation_id',
  'document_id',
  'session_id',
  'text_hash',
  'type',
  'ttl',
  'expires_at',
  'custom_id',
  'visibility',
  'version',
  'text_version',
  'text_by',
  'text_at',
  'vector_version',
  'updated_by',
  'updated_at',
  'tags',
  'metadata',
  'text',
]

/** Before `UPDATE`, which goes row by row: makes room where a `custom_id` passes from one of its items to another. */
export const RELEASE_CUSTOM_IDS = `
  update memory_items set custom_id = null where row in (${guarded('i.row')})`

const next = (name: string): string => `s.v ->> '${name}'`
/** What a new embedding starts from; another change leaves the embedding as it is by now. */
const restarted = (column: string, start: string): string =>
  `${column} = case when ${next('reembedded')} then ${start} else ${column} end`

/** `or ignore`: a `custom_id` that another item took meanwhile. `limit -1` keeps the JSON the outer loop. */
export const UPDATE = `
  update or ignore memory_items set write_id = ?6, ${UPDATED.map((name) => `${name} = ${next(name)}`).join(', ')},
    word_count = coalesce(${next('word_count')}, word_count),
    ${[
      restarted('embedding_status', "'pending'"),
      restarted('embedding_model', 'null'),
      restarted('embedding_dimension', 'null'),
      restarted('embedding_error', 'null'),
      restarted('embedded_version', 'null'),
      restarted('chunk_count', '0'),
      restarted('attempts', '0'),
      restarted('lease_id', 'null'),
      restarted('lease_until', 'null'),
      restarted('next_attempt_at', next('next_attempt_at')),
    ].join(', ')}
  from (${guarded('i.row as item, jsonb(e.value) as v')} limit -1) s where memory_items.row = s.item
  ${RETURNED}`

export const DELETE = `
  update memory_items set deleted_at = ?3, delete_reason = 'deleted', write_id = ?6
  where row in (${guarded('i.row')}) ${RETURNED}`

/** Ends items without a caller: ?1 now, ?2 write_id, ?3 JSON of `{id}`, ?4 the reason. */
export const TOMBSTONE = `
  update memory_items set deleted_at = ?1, delete_reason = ?4, write_id = ?2
  where row in (select i.row from json_each(?3) e cross join memory_items i on i.id = ${member('id')}
    where i.deleted_at is null and (?4 <> 'expired' or i.expires_at <= ?1))
  returning id`

/** What follows takes ?1 the JSON and ?2 the write_id. */
const stamped = (columns: string, more = ''): string => `
  select ${columns} from json_each(?1) e cross join memory_items i on i.id = ${member('id')} ${more} where i.write_id = ?2`

export const CLEAR_TAGS = `delete from memory_tags where item_row in (${stamped('i.row')})`
export const ADD_TAGS = `insert into memory_tags (item_row, project_id, tag)
  ${stamped('i.row, i.project_id, t.value', 'cross join json_each(i.tags) t')}`

export const CLEAR_GRANTS = `delete from memory_grants where item_row in (${stamped('i.row')})`
export const ADD_GRANTS = `insert into memory_grants (item_row, user_id, access)
  ${stamped("i.row, g.value ->> 'user_id', g.value ->> 'access'", `cross join json_each(${member('permissions')}) g`)}`

/** One row a replaced text. */
export const ADD_VERSIONS = `insert into memory_versions (item_row, version, text, written_by, written_at)
  ${stamped(`i.row, ${['version', 'text', 'written_by', 'written_at'].map(member).join(', ')}`)}`
export const MAX_VERSIONS = 50
export const TRIM_VERSIONS = `delete from memory_versions where rowid in (${stamped(
  'v.rowid',
  `cross join memory_versions v on v.item_row = i.row and v.version <= (
    select o.version from memory_versions o where o.item_row = i.row order by o.version desc limit 1 offset ${MAX_VERSIONS})`,
)})`

/** Source of events: one row of JSON `{id, version, reason}` each; plain parameters: the JSON, the write_id. */
export const EVENT_SOURCE = `
  select i.id as memory_id, i.project_id, i.namespace, i.scope, i.conversation_id, coalesce(${member('version')}, i.version) as version,
    i.visibility, i.created_by as creator, ${member('reason')} as reason,
    (select json_group_array(g.user_id) from memory_grants g where g.item_row = i.row) as readers
  from json_each(?) e cross join memory_items i on i.id = ${member('id')} where i.write_id = ?`

/** Condition under which an audit row of a set, whose key is an item's id, goes with the commit; takes the write_id. */
export const IS_STAMPED = "exists (select 1 from memory_items i where i.id = e.value ->> 'key' and i.write_id = ?)"

/** Frees an idempotency key whose effect did not take place. ?1 user, ?2 tenant, ?3 path, ?4 key, ?5 write_id, ?6 item. */
export const RELEASE_KEY = `
  delete from idempotency_keys where tenant_id = ?2 and user_id = ?1 and path = ?3 and key = ?4 and write_id = ?5
    and not exists (select 1 from memory_items where id = ?6 and write_id = ?5)`

/** Fails, and with it the whole batch, unless ?2 of the ids in ?1 bear the stamp ?3: the text is no JSON. */
export const ALL_OR_NOTHING = `
  select json('incomplete') where (select count(*) from json_each(?1) e
    cross join memory_items i on i.id = e.value where i.write_id = ?3) < ?2`
