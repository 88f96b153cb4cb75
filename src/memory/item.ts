import { z } from '@hono/zod-openapi'
import { iso } from '../core/values/clock.ts'
import { anyId, idOf, name, onlyTrue, text, timestamp } from '../core/http/fields.ts'
import { Namespace } from '../core/namespace.ts'
import { MetadataField } from './filter/metadata.ts'
import type { SHORT_COLUMNS } from './item-columns.ts'
import { OccurredAt } from './occurrence.ts'
import { RetiredReason, retiredFields, retiredFieldsOf, type RetiredColumns } from './retirement/retired-fields.ts'
import { SupersededItems, Supersedes } from './retirement/supersedes.ts'
import { Subject } from './subject.ts'
import { ITEM_KINDS, ITEM_SCOPES, TURN_ROLES, MAX_TAG_CHARACTERS, MAX_TTL_SECONDS } from '../core/values/items.ts'
import { warningFields } from './warnings.ts'
import { EMBEDDING_STATUSES, VISIBILITIES, type memory_items } from './table.ts'

/** Bounds of an item (contract §3). Characters are code points. */
export const MAX_TEXT_CHARACTERS = 65_536
export const MAX_TAGS = 32
const MAX_CONTEXT_ID_CHARACTERS = 128
export const MAX_CUSTOM_ID_CHARACTERS = 128
export const MAX_GRANTS = 100
export const DEFAULT_NAMESPACE = 'default'

export const ContextId = name(MAX_CONTEXT_ID_CHARACTERS)
const ItemText = text(1, MAX_TEXT_CHARACTERS)
const MediaType = z
  .string()
  .max(128)
  .regex(
    /^text[/][A-Za-z0-9][A-Za-z0-9.+-]*(; ?charset=[Uu][Tt][Ff]-8)?$/,
    'must be a text media type, such as text/plain',
  )
const CustomId = name(MAX_CUSTOM_ID_CHARACTERS)
const Ttl = z.int().min(1).max(MAX_TTL_SECONDS)
export const Tag = name(MAX_TAG_CHARACTERS)
const Tags = z
  .array(z.string().trim().pipe(Tag).meta({ minLength: 1, maxLength: MAX_TAG_CHARACTERS, pattern: '\\S' }))
  .max(MAX_TAGS)
  .transform((tags) => [...new Set(tags)])
const Permissions = z
  .array(z.strictObject({ user_id: anyId, access: z.enum(['read', 'write']) }))
  .max(MAX_GRANTS)
  .refine((grants) => new Set(grants.map((grant) => grant.user_id)).size === grants.length, {
    message: 'Name each user at most once.',
    params: { code: 'duplicate' },
  })
export type Permission = z.output<typeof Permissions>[number]

const contentFields = { type: MediaType.optional(), metadata: MetadataField.optional() }
const WholeContent = z.strictObject({ text: ItemText, ...contentFields })
/** A text alone is short for `{"text": …}` (contract §3). */
const TextAlone = ItemText.transform((text): z.output<typeof WholeContent> => ({ text }))
const NewContent = z.union([TextAlone, WholeContent])
const ChangedContent = z.union([TextAlone, z.strictObject({ text: ItemText.optional(), ...contentFields })])

export const contextFields = {
  project_id: anyId.optional(),
  scope: z.enum(ITEM_SCOPES).optional(),
  namespace: Namespace.optional(),
  conversation_id: ContextId.nullish(),
  document_id: ContextId.nullish(),
  session_id: ContextId.nullish(),
  subject: Subject.nullish(),
}
const Context = z.strictObject(contextFields)

export const writtenFields = {
  context: Context.optional(),
  tags: Tags.optional(),
  ttl: Ttl.nullish(),
  occurred_at: OccurredAt.nullish(),
  custom_id: CustomId.nullish(),
  visibility: z.enum(VISIBILITIES).optional(),
  permissions: Permissions.optional(),
}
export const storeFields = {
  content: NewContent,
  ...writtenFields,
  deduplicate: z.boolean().optional(),
  supersedes: Supersedes.optional(),
  supersede_reason: RetiredReason.nullish(),
}
export const updateFields = {
  content: ChangedContent.optional(),
  ...writtenFields,
  merge_metadata: z.boolean().optional().meta({
    description: 'Whether `content.metadata` changes only the keys that it names. null removes a key.',
  }),
}

/** Parts of an item, for callers that take them one by one. */
export const itemParts = {
  text: ItemText,
  metadata: MetadataField,
  retired_reason: RetiredReason,
  tags: Tags,
  ttl: Ttl,
  occurred_at: OccurredAt,
  custom_id: CustomId,
  namespace: Namespace,
  subject: Subject,
  supersedes: SupersededItems,
  project_id: anyId,
}

export const StoreInput = z.strictObject(storeFields)
export type StoreInput = z.output<typeof StoreInput>
export const UpdateInput = z.strictObject(updateFields).openapi('MemoryItemUpdate')
export type UpdateInput = z.output<typeof UpdateInput>

const VIA = 'the id of a key, the `client_id` of an application, or `session`; null if unknown.'
export const via = z.string().nullable()

export const MemoryItemSchema = z
  .object({
    id: idOf('mem'),
    content: z.object({ text: z.string(), type: z.string(), metadata: z.record(z.string(), z.unknown()) }),
    context: z.object({
      project_id: idOf('prj'),
      scope: z.enum(ITEM_SCOPES),
      namespace: z.string(),
      conversation_id: z.string().optional(),
      document_id: z.string().optional(),
      session_id: z.string().optional(),
      subject: z.string().optional(),
    }),
    tags: z.array(z.string()),
    ttl: z.int().nullable(),
    custom_id: z.string().nullable(),
    visibility: z.enum(VISIBILITIES),
    permissions: z
      .array(z.object({ user_id: z.string(), access: z.enum(['read', 'write']) }))
      .optional()
      .meta({ description: 'Only on private items.' }),
    kind: z
      .enum(ITEM_KINDS)
      .meta({ description: 'A `turn` is a message of a conversation; any other item is a `note`.' }),
    role: z.union([z.enum(TURN_ROLES), z.null()]).meta({ description: 'Who says a turn; null for a note.' }),
    speaker: z.string().nullable().meta({ description: 'The `name` of the message of a turn.' }),
    embedding_status: z.enum(EMBEDDING_STATUSES),
    embedding_model: z.string().nullable(),
    embedding_error: z.string().nullable(),
    version: z.int(),
    occurred_at: timestamp.nullable().meta({ description: 'When it happened, according to the client.' }),
    created_at: timestamp,
    updated_at: timestamp,
    expires_at: timestamp.nullable(),
    created_by: z.string(),
    created_via: via.meta({ description: `What stored it: ${VIA}` }),
    text_via: via.meta({ description: `What wrote its text: ${VIA}` }),
    ...retiredFields,
    deduplicated: onlyTrue.optional().meta({ description: 'Only if `deduplicate` found this item.' }),
    ...warningFields,
  })
  .openapi('MemoryItem')
export type MemoryItem = z.infer<typeof MemoryItemSchema>

export type ItemRecord = typeof memory_items.$inferSelect

/** An item with its tenant and its project. */
export type ItemRef = Pick<ItemRecord, 'id' | 'tenant_id' | 'project_id'>

/** An item as `ITEM_COLUMNS` selects it. One that may be retired has further columns (`anyItemColumns`). */
export type ItemRow = Pick<ItemRecord, (typeof SHORT_COLUMNS)[number] | 'text' | 'metadata'> &
  Partial<RetiredColumns> & {
    /** JSON array of Permission; null unless the item is private. */
    permissions: string | null
  }

/** Most items were never changed, and an answer has the times of many. */
function timesOf({ created_at, updated_at }: ItemRow): Pick<MemoryItem, 'created_at' | 'updated_at'> {
  const createdAt = iso(created_at)
  return { created_at: createdAt, updated_at: updated_at === created_at ? createdAt : iso(updated_at) }
}

export const toMemoryItem = (row: ItemRow): MemoryItem => ({
  id: row.id,
  content: { text: row.text, type: row.type, metadata: JSON.parse(row.metadata) as Record<string, unknown> },
  context: {
    project_id: row.project_id,
    scope: row.scope,
    namespace: row.namespace,
    ...(row.conversation_id === null ? {} : { conversation_id: row.conversation_id }),
    ...(row.document_id === null ? {} : { document_id: row.document_id }),
    ...(row.session_id === null ? {} : { session_id: row.session_id }),
    ...(row.subject === null ? {} : { subject: row.subject }),
  },
  tags: JSON.parse(row.tags) as string[],
  ttl: row.ttl,
  custom_id: row.custom_id,
  visibility: row.visibility,
  ...(row.permissions === null ? {} : { permissions: JSON.parse(row.permissions) as Permission[] }),
  kind: row.role === null ? 'note' : 'turn',
  role: row.role,
  speaker: row.speaker,
  embedding_status: row.embedding_status,
  embedding_model: row.embedding_model,
  embedding_error: row.embedding_error,
  version: row.version,
  occurred_at: row.occurred_at === null ? null : iso(row.occurred_at),
  ...timesOf(row),
  expires_at: row.expires_at === null ? null : iso(row.expires_at),
  created_by: row.created_by,
  created_via: row.created_via,
  text_via: row.text_via,
  ...retiredFieldsOf(row),
})
