import type { AppError } from '../../core/errors.ts'
import { parseAnyIntegers } from '../../core/http/body.ts'
import { isBelow, unsafeInteger, unsafeIntegers } from '../../core/http/json/unsafe-integers.ts'

/** An operation of a batch, or a line of an import, that was refused before it is validated. */
export class RefusedOperation {
  readonly error: AppError
  /** As the client sent them, for the result and the audit row. */
  readonly op: unknown
  readonly id: unknown

  constructor(error: AppError, { op, id }: { op?: unknown; id?: unknown } = {}) {
    this.error = error
    this.op = op
    this.id = id
  }
}

/** Parses the body of a batch. An unsafe integer refuses its own operation: one bad operation never spoils the others. */
export function parseBatch(json: string): unknown {
  const body = parseAnyIntegers(json)
  const operations: unknown = body !== null && typeof body === 'object' && 'operations' in body ? body.operations : null
  for (const places of unsafeIntegers(json)) {
    const at = isBelow(places, ['operations']) ? places[1]?.key : null
    if (!Array.isArray(operations) || typeof at !== 'number') throw unsafeInteger(places)
    const sent: unknown = operations[at]
    // The last of two members of one name is the one that is read, and it may be shorter.
    if (!(at in operations) || sent instanceof RefusedOperation) continue
    operations[at] = new RefusedOperation(
      unsafeInteger(places, 2),
      sent !== null && typeof sent === 'object' ? sent : {},
    )
  }
  return body
}
