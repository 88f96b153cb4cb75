import type { AuthContext } from '../../core/context.ts'
import { AppError, detailOf, isAppError, type FieldError } from '../../core/errors.ts'
import { guard } from '../guard/guard.ts'
import type { StoreInput } from '../item.ts'
import type { Warning } from '../warnings.ts'
import type { Operation } from '../write/operation.ts'
import type { IngestInput } from './ingest-schema.ts'

/** The texts of an ingest, and what its turns share, as the guard lets them through. */
export interface GuardedIngest {
  shared: Pick<StoreInput, 'context' | 'tags'>
  texts: string[]
  warnings: Warning[]
}

const NO_TURN = { role: 'user', speaker: null, messageId: null, part: 0 } as const

/** Looks through whole texts, before they are cut into parts. null: the message is skipped. 422 with the places in the request. */
export async function guardIngest(
  ctx: AuthContext,
  { conversation_id, messages, context, tags }: IngestInput,
  texts: readonly (string | null)[],
): Promise<GuardedIngest> {
  const project = context?.project_id === undefined ? {} : { project_id: context.project_id }
  const whole: Operation = {
    op: 'store',
    input: { content: { text: '' }, context: { ...context, conversation_id }, ...(tags ? { tags } : {}) },
    turn: NO_TURN,
  }
  const each = messages.map(({ id = null, name = null, role }, index): Operation => {
    const text = texts[index] ?? null
    return {
      op: 'store',
      input: { content: { text: text ?? '' }, context: project },
      turn: text === null ? NO_TURN : { role, speaker: name, messageId: id, part: 0 },
    }
  })
  const guarded = await guard(ctx, [whole, ...each])
  const errors = guarded.flatMap((one, n) => (isAppError(one) ? placed(one.errors ?? [], n) : []))
  const [first] = errors
  if (first) throw new AppError('validation_failed', { detail: detailOf(first.path, first.message), errors })
  const inputs = guarded.map((one) => {
    if (isAppError(one) || one.operation.op !== 'store') throw new Error('what is not refused is a store')
    return one.operation.input
  })
  const [shared, ...own] = inputs
  if (!shared) throw new Error('every operation has a result')
  return {
    shared: { context: shared.context, ...(shared.tags ? { tags: shared.tags } : {}) },
    texts: own.map(({ content }) => content.text),
    warnings: guarded.flatMap((one, n) => (isAppError(one) ? [] : placed(one.warnings, n))),
  }
}

const FIELDS: Record<string, string> = { 'content.text': 'content', 'turn.message_id': 'id', 'turn.speaker': 'name' }

/** `n` 0 is what all messages share. */
const placed = <T extends Pick<FieldError, 'path'>>(found: readonly T[], n: number): T[] =>
  found.map((one) => {
    if (n > 0) return { ...one, path: `messages.${n - 1}.${FIELDS[one.path] ?? one.path}` }
    return { ...one, path: one.path === 'context.conversation_id' ? 'conversation_id' : one.path }
  })
