import { z } from '@hono/zod-openapi'
import { invalid, isAppError } from '../../core/errors.ts'
import { parseJson, validate } from '../../core/http/body.ts'
import { refuseLargeJson } from '../../core/http/json/json-size.ts'
import type { GuardMode } from '../../identity/index.ts'
import { TurnField, type Turn } from '../conversations/turn.ts'
import type { KeptRetirement, KeptTimes } from '../write/operation.ts'
import { retirementOf, timesOf } from './import-times.ts'
import { RefusedOperation } from './refused-operation.ts'

/** Fields of an exported item that a store sets itself. An import takes what an export gives, so it does not refuse them. */
const READ_ONLY = new Set([
  'id',
  'embedding_status',
  'embedding_model',
  'embedding_error',
  'version',
  'created_at',
  'updated_at',
  'expires_at',
  'created_by',
  'created_via',
  'text_via',
  'kind',
  'role',
  'speaker',
  'status',
  'retired_at',
  'retired_reason',
  'superseded_by',
])

/** The target of all lines of a call. */
export interface Into {
  projectId: string
  timesKept: boolean
  /** The body is long, so each line is counted before it is parsed. */
  isLong: boolean
  /** The least that happens to a secret, whatever the project says. */
  guard: GuardMode | undefined
}

interface Line {
  /** `batch` refuses a line that is no object. */
  operation: unknown
  times: KeptTimes | null
  retirement: KeptRetirement | null
  turn: Turn | null
}

const NOTHING_KEPT = { times: null, retirement: null, turn: null }

/** The store that a line of an import asks for. A line that is refused is an operation that fails by itself. */
export function operationOf(text: string, into: Into, now: number): Line {
  try {
    if (into.isLong) refuseLargeJson(text, 'The line')
    const value = parseJson(text, 'The line')
    if (value === null || typeof value !== 'object' || Array.isArray(value))
      return { operation: value, ...NOTHING_KEPT }
    if ('op' in value) throw invalid('op', 'unknown_field', 'Unknown field "op".')
    const times = into.timesKept ? timesOf(value, now) : null
    const retirement = retirementOf(value, now, times !== null)
    const fields = Object.entries(value).filter(([name]) => !READ_ONLY.has(name))
    const { context, turn: said, ...rest } = Object.fromEntries(fields)
    const turn =
      said === undefined || said === null ? null : validate(z.object({ turn: TurnField }), { turn: said }).turn
    const named = context !== null && typeof context === 'object' ? context : {}
    return {
      operation: { ...rest, op: 'store', context: { ...named, project_id: into.projectId } },
      times,
      retirement,
      turn,
    }
  } catch (error) {
    if (isAppError(error)) return { operation: new RefusedOperation(error), ...NOTHING_KEPT }
    throw error
  }
}
