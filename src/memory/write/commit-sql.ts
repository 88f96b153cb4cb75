import type { AuthContext, IdempotencyClaim, Principal } from '../../core/context.ts'
import { sql, type Sql } from '../../core/database/sql.ts'
import { memberOfProject, rolesSql } from '../../identity/index.ts'
import { ACCESS_JOINS, alive, held, present, readableBy, writable } from '../access.ts'
import type { ItemRecord } from '../item.ts'
import { IS_NEW_TURN } from '../conversations/turn-sql.ts'
import { beingErased, itemBeingErased } from '../erasures/being-erased.ts'
import { FORM, isDue, KEYED_FORM } from '../keyword/index-form.ts'
import { itemCountOf } from './quota.ts'
import { changedTtl, newTtl } from './retention-sql.ts'

/**
 * The SQL of a commit. Each statement takes its rows as the JSON array `:items` and writes them as a set. Statements on
 * `memory_items` guard themselves and leave the stamp `:write_id`. All others select by that stamp. `jsonb` stands where many
 * members are read, as `->>` on text parses it for each one.
 */

export const member = (name: string): string => `e.value ->> '${name}'`

/** Columns that a change may set. */
const CHANGED = [
  'namespace',
  'scope',
  'conversation_id',
  'document_id',
  'session_id',
  'subject',
  'text_hash',
  'type',
  'ttl',
  'expires_at',
  'occurred_at',
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
  'role',
  'speaker',
  'text_via',
  'via_version',
  'speaker_key',
] as const satisfies (keyof ItemRecord)[]

/** Columns that only a new item sets. */
const INITIAL = [
  'word_count',
  'indexed_by',
  'indexed_version',
  'next_attempt_at',
  'created_by',
  'created_via',
  'created_at',
  'deleted_at',
  'delete_reason',
] as const satisfies (keyof ItemRecord)[]

const INSERTED = [...CHANGED, ...INITIAL]

/** The columns that the client wrote, and through what. A tombstone keeps only those that its event needs. */
const BLANKED: Partial<Record<keyof ItemRecord, string>> = {
  text: "''",
  text_hash: "''",
  metadata: "'{}'",
  tags: "'[]'",
  custom_id: 'null',
  document_id: 'null',
  session_id: 'null',
  subject: 'null',
  speaker: 'null',
  created_via: 'null',
  text_via: 'null',
  speaker_key: 'null',
}
/** What a retired item loses when it becomes current, or a tombstone, whose vectors are then due. */
export const UNRETIRED =
  'retired_at = null, retired_reason = null, superseded_by = null, unpurged_version = null, vectors_purged_at = null'
const BLANK = [...Object.entries(BLANKED).map(([name, blank]) => `${name} = ${blank}`), UNRETIRED].join(', ')

const KEPT_BY = { namespace: member('namespace'), scope: member('scope'), tags: member('tags'), ttl: member('ttl') }

/** Values of a new item that the rules of its project decide. */
const RULED: Partial<Record<keyof ItemRecord, string>> = {
  ttl: newTtl(KEPT_BY),
  // `text_at` is now, also for an item that keeps the times of an import.
  expires_at: `iif(p.retention is null, ${member('expires_at')}, ${member('text_at')} + 1000 * ${newTtl(KEPT_BY)})`,
}

/** The value of a column of a new item, which may be deleted in the same commit. */
const initial = (name: keyof ItemRecord): string =>
  RULED[name] ??
  (BLANKED[name] === undefined
    ? member(name)
    : `iif(${member('deleted_at')} is null, ${member(name)}, ${BLANKED[name]})`)

const WRITTEN = ['id', 'embedding_status', 'embedding_model', 'embedding_error', 'ttl', 'expires_at'] as const
/** What the commit decides of a written item: its embedding, which may be newer than what the plan read, and its expiry. */
export type WrittenRow = Pick<ItemRecord, (typeof WRITTEN)[number]>
export const RETURNING = `returning ${WRITTEN.join(', ')}`

/** The request owns its idempotency key, or needs none. */
const HOLDS_KEY = `(:claim_key is null or exists (select 1 from idempotency_keys k
  where k.tenant_id = :tenant and k.user_id = :caller and k.path = :claim_path and k.key = :claim_key
    and k.write_id = :claim_request))`

/** The values of statements on `memory_items` that tell which key the request must hold. */
export const heldParams = ({ requestId }: AuthContext, claim: IdempotencyClaim | null) => ({
  claim_path: claim?.path ?? null,
  claim_key: claim?.key ?? null,
  claim_request: claim ? requestId : null,
})

/**
 * Inserts new items, up to the quota `:max_items` (null: none). It skips an item if another request has since committed
 * its `custom_id`, its message or (with `deduplicate`) its text, an item with times of its own if the caller does not administer the
 * project, and one whose place is being erased.
 */
export const insertItems = (principal: Principal): string => `
  insert into memory_items (id, tenant_id, project_id, write_id, ${INSERTED.join(', ')})
  select ${member('id')}, p.tenant_id, p.id, :write_id, ${INSERTED.map(initial).join(', ')}
  from (select key, jsonb(value) as value from json_each(:items) limit -1) e
  cross join projects p on p.id = ${member('project_id')} and p.tenant_id = :tenant and p.deleted_at is null
  ${memberOfProject(':caller')}
  where m.role in (${rolesSql('write')}) and ${HOLDS_KEY}
    and (:max_items is null or (${itemCountOf(':tenant')}) + e.key < :max_items)
    and not ${beingErased({ tenant: 'p.tenant_id', project: 'p.id', namespace: member('namespace'), subject: member('subject') })}
    and ${IS_NEW_TURN}
    and (not ${member('keeps_times')} or m.role in (${rolesSql('manage')}))
    and (not ${member('deduplicate')} or not exists (select 1 from memory_items d
      where d.project_id = p.id and d.namespace = ${member('namespace')} and d.text_hash = ${member('text_hash')}
        and d.text = ${member('text')} and d.subject is ${member('subject')} and d.write_id <> :write_id and ${alive('d')} and ${readableBy(principal, 'd')}))
  on conflict do nothing
  ${RETURNING}`

/** Selects rows of the JSON whose item is still at the version that the plan read, and that the caller may change. */
export const guarded = (columns: string, also = '', lives = alive()): string => `
  select ${columns} from json_each(:items) e
  cross join memory_items i on i.id = ${member('id')} ${ACCESS_JOINS}
  where i.version = ${member('base')} and ${lives} and ${writable()} and ${HOLDS_KEY}${also}`

/** Selects rows of the JSON whose item is still current, at the version that the plan read, and that the caller may read. */
export const unchanged = (principal: Principal): string => `
  select i.row from json_each(:items) e cross join memory_items i on i.id = ${member('id')} ${ACCESS_JOINS}
  where i.version = ${member('base')} and ${alive()} and ${readableBy(principal)} and ${HOLDS_KEY}`

/** Neither the item nor the place that it is to get is being erased. A deletion takes an item from there, so it may go on. */
export const ITEM_NOT_ERASED = ` and not ${itemBeingErased()}`
const NOT_ERASED = `${ITEM_NOT_ERASED}
  and not ${beingErased({ tenant: 'i.tenant_id', project: 'i.project_id', namespace: member('namespace'), subject: member('subject') })}`

/** Runs before `UPDATE_ITEMS`, which goes row by row, where a `custom_id` passes from one of its items to another. */
export const RELEASE_CUSTOM_IDS = `
  update memory_items set custom_id = null where row in (${guarded('i.row')})`

const newValue = (name: string): string => `s.v ->> '${name}'`
/** Values that a new embedding starts from. Every other change leaves the embedding as it is by now. */
const RESTARTED = {
  embedding_status: "'pending'",
  embedding_model: 'null',
  embedding_dimension: 'null',
  embedding_error: 'null',
  embedded_version: 'null',
  chunk_count: '0',
  attempts: '0',
  lease_id: 'null',
  lease_until: 'null',
  next_attempt_at: newValue('next_attempt_at'),
} satisfies Partial<Record<keyof ItemRecord, string>>

/** Long columns. A row of the JSON leaves out those that stay, which spares both sides their copy. */
const KEPT: ReadonlySet<keyof ItemRecord> = new Set(['text', 'metadata'])

const changed = (name: keyof ItemRecord): string => {
  if (name === 'ttl') return 's.ttl'
  return name === 'expires_at'
    ? `iif(s.ttl is ${newValue('ttl')}, ${newValue(name)}, ${newValue('updated_at')} + 1000 * s.ttl)`
    : newValue(name)
}

/** The ttl of a changed item: the rules of its project bound it where the change names one. */
const TTL = `iif(${member('ttl_changed')}, ${changedTtl(KEPT_BY)}, ${member('ttl')})`

const SET = [
  'write_id = :write_id',
  ...CHANGED.map((name) => `${name} = ${KEPT.has(name) ? `coalesce(${newValue(name)}, ${name})` : changed(name)}`),
  `word_count = coalesce(${newValue('word_count')}, word_count)`,
  // An item that is due stays so, unless this commit files its words, and all its names are in the form NFC.
  `indexed_by = iif(${newValue('word_count')} is null and indexed_by < ${FORM}, indexed_by, ${KEYED_FORM})`,
  `indexed_version = case when ${newValue('names_due')} then 0
    when ${newValue('word_count')} is null and (${isDue('memory_items')}) then indexed_version else ${newValue('version')} end`,
  ...Object.entries(RESTARTED).map(
    ([name, start]) => `${name} = case when ${newValue('to_embed')} then ${start} else ${name} end`,
  ),
]

/** `or ignore` leaves out an item whose new `custom_id` another item took. `limit -1` keeps the JSON the outer loop. */
export const UPDATE_ITEMS = `
  update or ignore memory_items set ${SET.join(', ')}
  from (${guarded(`i.row as item, jsonb(e.value) as v, ${TTL} as ttl`, NOT_ERASED)} limit -1) s where memory_items.row = s.item
  ${RETURNING}`

export const DELETE_ITEMS = `
  update memory_items set deleted_at = :now, delete_reason = 'deleted', write_id = :write_id, ${BLANK}
  where row in (${guarded('i.row', '', present())}) ${RETURNING}`

/** Turns items into tombstones without a caller. */
export const TOMBSTONE_ITEMS = `
  update memory_items set deleted_at = :now, delete_reason = :reason, write_id = :write_id, ${BLANK}
  where row in (select i.row from json_each(:items) e cross join memory_items i on i.id = ${member('id')}
    where ${held()} and (:reason <> 'expired' or i.expires_at <= :now))
  returning id`

/** Selects rows of the JSON whose item bears the stamp. */
export const stamped = (columns: string, joins = ''): string => `
  select ${columns} from json_each(:items) e cross join memory_items i on i.id = ${member('id')} ${joins}
  where i.write_id = :write_id`

export const DELETE_TAGS = `delete from memory_tags where item_row in (${stamped('i.row')})`
export const INSERT_TAGS = `insert into memory_tags (item_row, project_id, tag)
  ${stamped('i.row, i.project_id, t.value', 'cross join json_each(i.tags) t')}`

export const DELETE_GRANTS = `delete from memory_grants where item_row in (${stamped('i.row')})`
export const INSERT_GRANTS = `insert into memory_grants (item_row, user_id, access)
  ${stamped("i.row, g.value ->> 'user_id', g.value ->> 'access'", `cross join json_each(${member('permissions')}) g`)}`

/** The item bears the stamp. A condition for entries that name the item in a member. */
const memberIsStamped = (name: string, writeId: string): Sql =>
  sql(`exists (select 1 from memory_items i where i.id = ${member(name)} and i.write_id = :write_id)`, {
    write_id: writeId,
  })
/** For audit rows, whose key is the item's id. */
export const isStamped = (writeId: string): Sql => memberIsStamped('key', writeId)
/** For operations that the commit carries out. */
export const isDone = (writeId: string): Sql => memberIsStamped('id', writeId)
