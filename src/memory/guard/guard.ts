import { countSecrets, type GuardAction } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { AppError, detailOf, isAppError, type FieldError } from '../../core/errors.ts'
import { stricter, type Guard, type GuardMode } from '../../identity/index.ts'
import type { Warning } from '../warnings.ts'
import { destinationOf, type Operation } from '../write/operation.ts'
import type { Finding } from './find/find-in.ts'
import { placesOf, type Place } from './places.ts'
import { redactedOperation } from './redact.ts'
import { guardsOf } from './settings.ts'
import { errorsOf, warningsOf } from './warning.ts'

/** An operation that the guard lets through, perhaps changed. */
export interface Guarded {
  operation: Operation
  warnings: Warning[]
}

interface Asked {
  /** The least that the caller asks for, whatever the project says. */
  atLeast?: GuardMode | undefined
}

/**
 * Looks for secrets in the operations, before anything else happens to their texts. One that is refused becomes an error. The
 * setting of a project is read where something was found, in one statement for all operations.
 */
export async function guard(
  ctx: AuthContext,
  operations: readonly (Operation | AppError)[],
  asked: Asked = {},
): Promise<(Guarded | AppError)[]> {
  const hits = operations.flatMap((operation) => {
    const places = isAppError(operation) ? [] : placesOf(operation)
    return places.length > 0 && !isAppError(operation) ? [{ operation, places }] : []
  })
  const guards =
    hits.length === 0
      ? []
      : await guardsOf(
          ctx,
          hits.map(({ operation }) => targetOf(ctx, operation)),
        )
  const decided = new Map<Operation | AppError, Guarded | AppError>()
  for (const [index, { operation, places }] of hits.entries()) {
    const setting = guards[index]
    // Nothing is written where the caller does not see the project: the operation itself says so.
    if (setting) decided.set(operation, decide(ctx, operation, places, modesOf(setting, asked, isTurn(operation))))
  }
  return operations.map((one) => decided.get(one) ?? (isAppError(one) ? one : { operation: one, warnings: [] }))
}

/** The same for one operation. It throws the error that refuses it. */
export async function guardOne(ctx: AuthContext, operation: Operation): Promise<Guarded> {
  const [guarded] = await guard(ctx, [operation])
  if (!guarded) throw new Error('an operation has a result')
  if (isAppError(guarded)) throw guarded
  return guarded
}

function targetOf({ principal }: AuthContext, operation: Operation) {
  if (operation.op !== 'store') return { projectId: null, itemId: operation.id }
  return { projectId: destinationOf(principal, operation.input).projectId, itemId: null }
}

type Modes = Record<Finding['category'], GuardMode>

/** Nobody looks through the messages of conversations as they come in. */
const isTurn = (operation: Operation): boolean => operation.op === 'store' && !!operation.turn

const modesOf = ({ secrets, cards, ibans }: Guard, { atLeast = 'off' }: Asked, unattended: boolean): Modes => ({
  secrets: stricter(unattended ? secrets.unattended : secrets.direct, atLeast),
  cards,
  ibans,
})

function decide(ctx: AuthContext, operation: Operation, places: readonly Place[], modes: Modes): Guarded | AppError {
  const errors: FieldError[] = []
  const warnings: Warning[] = []
  const counted = new Map<string, number>()
  for (const place of places) {
    const actions = Map.groupBy(place.findings, ({ category }) => actionOf(modes[category], place.isName))
    const [flagged = [], replaced = [], refused = []] = [
      actions.get('flag'),
      actions.get('redact'),
      actions.get('refuse'),
    ]
    errors.push(...errorsOf(place, refused))
    warnings.push(...warningsOf(place, flagged, 'secret_found'), ...warningsOf(place, replaced, 'secret_redacted'))
    for (const [action, findings] of actions) {
      if (action === null) continue
      for (const { kind } of findings) counted.set(`${action} ${kind}`, (counted.get(`${action} ${kind}`) ?? 0) + 1)
    }
  }
  for (const [key, found] of counted) {
    const [action, kind = ''] = key.split(' ')
    countSecrets(ctx, ctx.principal, kind, action as GuardAction, found)
  }
  const [first] = errors
  if (first) return new AppError('validation_failed', { detail: detailOf(first.path, first.message), errors })
  if (!warnings.some(({ code }) => code === 'secret_redacted')) return { operation, warnings }
  return { operation: redactedOperation(operation, ({ category }) => modes[category] === 'redact'), warnings }
}

/** What happens to a finding; null: nothing. */
function actionOf(mode: GuardMode, isName: boolean): GuardAction | null {
  if (mode === 'off') return null
  return isName ? 'refuse' : mode
}
