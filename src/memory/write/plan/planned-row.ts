import { invalid } from '../../../core/errors.ts'
import { requireNotErased, type RunningErasure } from '../../erasures/being-erased.ts'
import { mergeMetadata } from '../../filter/metadata.ts'
import type { Turn } from '../../conversations/turn.ts'
import type { ItemRecord, ItemRow, StoreInput, UpdateInput } from '../../item.ts'
import { NOT_RETIRED, type RetiredColumns } from '../../retirement/retired-fields.ts'
import type { KeptTimes } from '../operation.ts'

/** An item as the planner reads and changes it: the columns that go on the wire, and those that its next version needs. */
export type PlannedRow = ItemRow &
  RetiredColumns &
  Pick<ItemRecord, 'text_hash' | 'text_version' | 'text_by' | 'text_at' | 'vector_version' | 'updated_by'>

/** Who writes, when, and the hash of each text of the request. */
export interface Author {
  userId: string
  /** What the request comes through. */
  via: string
  now: number
  hashOf: (text: string) => string
  /** No row comes from what these erase, or goes there. */
  erasing: readonly RunningErasure[]
}

/** A new item, with the defaults of contract §3. */
export function newRow(
  { userId, via, now, hashOf, erasing }: Author,
  id: string,
  projectId: string,
  namespace: string,
  input: StoreInput,
  { times, turn }: { times: KeptTimes | null; turn: Turn | null },
): PlannedRow {
  const { content, context = {}, visibility = 'project' } = input
  requireNotErased(erasing, { project_id: projectId, namespace, subject: context.subject ?? null })
  return {
    id,
    project_id: projectId,
    namespace,
    scope: context.scope ?? 'project',
    conversation_id: context.conversation_id ?? null,
    document_id: context.document_id ?? null,
    session_id: context.session_id ?? null,
    subject: context.subject ?? null,
    text: content.text,
    text_hash: hashOf(content.text),
    text_version: 1,
    text_by: userId,
    text_at: now,
    vector_version: 1,
    type: content.type ?? 'text/plain',
    metadata: JSON.stringify(content.metadata ?? {}),
    tags: JSON.stringify(input.tags ?? []),
    ...lifetime(input.ttl ?? null, now),
    occurred_at: input.occurred_at ?? null,
    custom_id: input.custom_id ?? null,
    visibility,
    permissions: grantsOf(visibility, input.permissions, null),
    version: 1,
    embedding_status: 'pending',
    embedding_model: null,
    embedding_error: null,
    role: turn?.role ?? null,
    speaker: turn?.speaker ?? null,
    created_by: userId,
    created_via: via,
    text_via: via,
    updated_by: userId,
    created_at: times?.createdAt ?? now,
    updated_at: times?.updatedAt ?? now,
    ...NOT_RETIRED,
  }
}

/** The next version of an item. Fields without a value stay; metadata, tags and permissions are replaced whole. */
export function changedRow(
  { userId, via, now, hashOf, erasing }: Author,
  before: PlannedRow,
  input: UpdateInput,
  turn: Turn | null = null,
): PlannedRow {
  const { content = {}, context = {} } = input
  if (before.role !== null) requireSameConversation(before, context)
  if (context.project_id !== undefined && context.project_id !== before.project_id) {
    throw invalid('context.project_id', 'immutable', 'An item cannot move to another project.')
  }
  const version = before.version + 1
  const text = content.text ?? before.text
  const namespace = context.namespace ?? before.namespace
  const subject = subjectAfter(before.subject, context.subject)
  requireNotErased(erasing, before, { ...before, namespace, subject })
  const visibility = input.visibility ?? before.visibility
  const textChanged = text !== before.text
  const toEmbed = textChanged || namespace !== before.namespace || visibility !== before.visibility
  return {
    ...before,
    namespace,
    scope: context.scope ?? before.scope,
    conversation_id: orBefore(context.conversation_id, before.conversation_id),
    document_id: orBefore(context.document_id, before.document_id),
    session_id: orBefore(context.session_id, before.session_id),
    subject,
    ...(textChanged
      ? { text, text_hash: hashOf(text), text_version: version, text_by: userId, text_via: via, text_at: now }
      : {}),
    ...(toEmbed
      ? { vector_version: version, embedding_status: 'pending', embedding_model: null, embedding_error: null }
      : {}),
    type: content.type ?? before.type,
    metadata: metadataAfter(before.metadata, input),
    tags: input.tags === undefined ? before.tags : JSON.stringify(input.tags),
    ...(input.ttl === undefined ? {} : lifetime(input.ttl, now)),
    occurred_at: orBefore(input.occurred_at, before.occurred_at),
    custom_id: orBefore(input.custom_id, before.custom_id),
    ...(turn && { role: turn.role, speaker: turn.speaker }),
    visibility,
    permissions: grantsOf(visibility, input.permissions, before.permissions),
    version,
    updated_by: userId,
    updated_at: now,
  }
}

/** The item holds what `deduplicate` looks for. An equal text about another subject is another fact. */
export const saysTheSame = (
  row: PlannedRow,
  projectId: string,
  namespace: string,
  { content, context }: StoreInput,
): boolean =>
  row.project_id === projectId &&
  row.namespace === namespace &&
  row.text === content.text &&
  row.subject === (context?.subject ?? null)

/** A turn is recognized by its conversation, so it stays there. */
function requireSameConversation(before: PlannedRow, context: NonNullable<UpdateInput['context']>): void {
  for (const field of ['namespace', 'conversation_id'] as const) {
    if (context[field] === undefined || context[field] === before[field]) continue
    throw invalid(`context.${field}`, 'immutable', 'A turn cannot leave its conversation.')
  }
}

/** A subject is set once: an erasure must know that no item has left its subject. */
function subjectAfter(before: string | null, subject: string | null | undefined): string | null {
  if (before === null || subject === undefined || subject === before) return before ?? subject ?? null
  throw invalid('context.subject', 'immutable', 'The subject of an item cannot change once it is set.')
}

function metadataAfter(before: string, { content, merge_metadata }: UpdateInput): string {
  if (content?.metadata === undefined) return before
  return merge_metadata ? mergeMetadata(before, content.metadata) : JSON.stringify(content.metadata)
}

const orBefore = <T>(value: T | undefined, before: T): T => (value === undefined ? before : value)

const lifetime = (ttl: number | null, now: number): Pick<PlannedRow, 'ttl' | 'expires_at'> => ({
  ttl,
  expires_at: ttl === null ? null : now + ttl * 1_000,
})

/** The grants as JSON. Only private items have some; an item loses them when the whole project may read it. */
function grantsOf(
  visibility: PlannedRow['visibility'],
  permissions: StoreInput['permissions'],
  before: string | null,
): string | null {
  if (visibility === 'private') {
    return permissions === undefined
      ? (before ?? '[]')
      : JSON.stringify(permissions.map(({ user_id, access }) => ({ user_id, access })))
  }
  if (permissions === undefined || permissions.length === 0) return null
  throw invalid('permissions', 'not_private', 'Permissions are only for items with visibility "private".')
}
