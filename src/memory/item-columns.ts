import type { ItemRecord } from './item.ts'

/** The columns of an item that go on the wire, but for its text and its metadata, which may be long. */
export const SHORT_COLUMNS = [
  'id',
  'project_id',
  'namespace',
  'scope',
  'conversation_id',
  'document_id',
  'session_id',
  'subject',
  'type',
  'tags',
  'ttl',
  'expires_at',
  'custom_id',
  'visibility',
  'version',
  'embedding_status',
  'embedding_model',
  'embedding_error',
  'created_by',
  'created_via',
  'text_via',
  'role',
  'speaker',
  'occurred_at',
  'created_at',
  'updated_at',
] as const satisfies (keyof ItemRecord)[]

/** SQL: `permissions` of an `ItemRow`. */
export const PERMISSIONS = `case i.visibility when 'private' then (
    select json_group_array(json_object('user_id', g.user_id, 'access', g.access))
    from memory_grants g where g.item_row = i.row) end`

/** SQL: one of `SHORT_COLUMNS`. A write by an earlier version of the service leaves the `text_via` of an earlier text. */
export const shortColumn = (name: (typeof SHORT_COLUMNS)[number]): string =>
  name === 'text_via' ? 'iif(i.via_version = i.text_version, i.text_via, null)' : `i.${name}`

const itemColumns = (text: string, metadata: string): string =>
  [
    ...SHORT_COLUMNS.map((name) => `${shortColumn(name)} as ${name}`),
    text,
    metadata,
    `${PERMISSIONS} as permissions`,
  ].join(', ')

/** Selects an `ItemRow` from `memory_items i`. */
export const ITEM_COLUMNS = itemColumns('i.text', 'i.metadata')

/** The same, with an empty text and `{}` where a condition in SQL does not hold: SQLite then reads neither. */
export const itemColumnsIf = (condition: string): string =>
  itemColumns(`iif(${condition}, i.text, '') as text`, `iif(${condition}, i.metadata, '{}') as metadata`)
