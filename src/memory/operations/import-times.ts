import type { Principal } from '../../core/context.ts'
import { z } from '@hono/zod-openapi'
import { invalid } from '../../core/errors.ts'
import { validate } from '../../core/http/body.ts'
import { readInstant } from '../../core/http/instant.ts'
import { permitsProject, ROLES_THAT } from '../../identity/index.ts'
import type { Role } from '../../identity/table.ts'
import { RetiredReason } from '../retirement/retired-fields.ts'
import type { KeptRetirement, KeptTimes } from '../write/operation.ts'

/** Whether the caller may administer the project, and so may say when its items were stored. */
export const mayKeepTimes = (principal: Principal, projectId: string, role: Role): boolean =>
  ROLES_THAT.manage.includes(role) && permitsProject(principal, projectId)

/**
 * When the item of a line was stored and changed; null where the line does not say when it was stored. 422 for a
 * `created_at` in the future or before 1970, and for an `updated_at` in the future or before it.
 */
export function timesOf(line: object, now: number): KeptTimes | null {
  const { created_at, updated_at }: { created_at?: unknown; updated_at?: unknown } = line
  if (created_at === undefined) return null
  const createdAt = instantOf('created_at', created_at, { from: 0, now })
  const updatedAt = updated_at === undefined ? createdAt : instantOf('updated_at', updated_at, { from: createdAt, now })
  return { createdAt, updatedAt }
}

/**
 * Why and when the item of a line was retired; null where it is current. 422 for a `retired_at` in the future or before 1970,
 * and for a reason that is too long. A caller who may not keep times retires it now.
 */
export function retirementOf(line: object, now: number, keepsTimes: boolean): KeptRetirement | null {
  const { retired_at, retired_reason = null }: { retired_at?: unknown; retired_reason?: unknown } = line
  if (retired_at === undefined || retired_at === null) return null
  const at = instantOf('retired_at', retired_at, { from: 0, now })
  const { retired_reason: reason } = validate(z.object({ retired_reason: RetiredReason.nullable() }), {
    retired_reason,
  })
  return { reason, at: keepsTimes ? at : null }
}

function instantOf(field: string, value: unknown, { from, now }: { from: number; now: number }): number {
  const ms = typeof value === 'string' ? readInstant(value) : { fault: 'must be a string' }
  if (typeof ms !== 'number') throw invalid(field, 'invalid_instant', `${field} ${ms.fault}.`)
  if (ms > now) throw invalid(field, 'in_future', `${field} cannot be in the future.`)
  if (ms < from) throw invalid(field, 'too_early', `${field} cannot be before ${from === 0 ? '1970' : 'created_at'}.`)
  return ms
}
