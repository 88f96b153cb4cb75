import { z } from '@hono/zod-openapi'
import type { AuthContext, Scope } from '../../core/context.ts'
import { AppError, isAppError } from '../../core/errors.ts'
import { validate } from '../../core/http/body.ts'
import { anyId } from '../../core/http/fields.ts'
import { storeFields, updateFields } from '../item.ts'
import { RetiredReason } from '../retirement/retired-fields.ts'
import { indexesStoredText, storeTells, updateTells, type Operation } from '../write/operation.ts'
import { RefusedOperation } from './refused-operation.ts'

/** An operation as a client sends it. */
export const BatchOperation = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('store'), ...storeFields }),
  z.strictObject({ op: z.literal('update'), id: anyId, ...updateFields }),
  z.strictObject({ op: z.literal('delete'), id: anyId }),
  z.strictObject({ op: z.literal('retire'), id: anyId, reason: RetiredReason.nullish() }),
  z.strictObject({ op: z.literal('restore'), id: anyId }),
  z.strictObject({ op: z.literal('retrieve'), id: anyId }),
])

export const OPS = ['store', 'update', 'delete', 'retire', 'restore', 'retrieve'] as const
export type Op = (typeof OPS)[number]

/** The operation, or the error that refuses it before it is tried. */
export function readOperation(ctx: AuthContext, value: unknown, atomic: boolean): Operation | AppError {
  if (value instanceof RefusedOperation) return value.error
  try {
    const asked = toOperation(validate(BatchOperation, value))
    const missing = scopesFor(asked, atomic).find((scope) => !ctx.principal.scopes.includes(scope))
    if (missing) return new AppError('insufficient_scope', { detail: `This operation needs the scope ${missing}.` })
    return asked
  } catch (error) {
    if (isAppError(error)) return error
    throw error
  }
}

function toOperation(asked: z.output<typeof BatchOperation>): Operation {
  if (asked.op === 'retire') return { op: 'retire', id: asked.id, reason: asked.reason ?? null }
  const { op, ...rest } = asked
  if (op === 'store') return { op, input: rest as Extract<Operation, { op: 'store' }>['input'] }
  const { id, ...input } = rest as { id: string }
  return op === 'update' ? { op, id, input } : { op, id }
}

/**
 * What tells of stored items reads too. So does the limit of an atomic batch, which counts stored texts that are indexed
 * again.
 */
function scopesFor(operation: Operation, atomic: boolean): readonly Scope[] {
  if (operation.op === 'retrieve') return ['read:memory']
  return tells(operation, atomic) ? ['write:memory', 'read:memory'] : ['write:memory']
}

function tells(operation: Operation, atomic: boolean): boolean {
  if (operation.op === 'store') return storeTells(operation.input)
  return (operation.op === 'update' && updateTells(operation.input)) || (atomic && indexesStoredText(operation))
}

/** The `op` as the client sent it; null where it is none of these. */
export function opOf(value: unknown): Op | null {
  const sent = value !== null && typeof value === 'object' && 'op' in value ? value.op : null
  return OPS.find((op) => op === sent) ?? null
}
