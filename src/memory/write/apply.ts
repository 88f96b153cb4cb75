import type { AuthContext } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import { sha256 } from '../../core/values/hash.ts'
import { replayOf } from '../../core/http/idempotency.ts'
import { commit, type Committed } from './commit.ts'
import { loadSnapshot, needsNothing, EMPTY_SNAPSHOT } from './snapshot.ts'
import type { Operation, Outcome, Plan } from './operation.ts'
import { plan } from './plan.ts'

/** A change that loses a race is planned anew on what is there now, this often. */
const MAX_ATTEMPTS = 4

export type Applied =
  | { kind: 'settled'; outcomes: Outcome[] }
  /** Another request finished first with the same idempotency key. */
  | { kind: 'replay'; status: number; resource: string }

export interface ApplyOptions {
  /** All operations or none: where one is refused, nothing is written. */
  atomic?: boolean
  /** The operations are one request's own effect: its idempotency key is committed with it. */
  keyed?: boolean
}

/**
 * Runs a list of operations: read what they touch, plan, commit in one batch with guards; what lost a race is planned
 * again. A list of plain stores needs no read, so a store is one round trip.
 */
export async function apply(
  ctx: AuthContext,
  operations: readonly Operation[],
  options: ApplyOptions = {},
): Promise<Applied> {
  const hashOf = await hashesOf(operations)
  const outcomes: (Outcome | undefined)[] = operations.map(() => undefined)
  let open = operations.map((_, index) => index)
  for (let attempt = 1; open.length > 0; attempt++) {
    const mine = open.map((index) => operations[index]).filter((operation) => operation !== undefined)
    const known = attempt === 1 && needsNothing(mine) ? EMPTY_SNAPSHOT : await loadSnapshot(ctx, mine, hashOf)
    const planned = plan(plannerOf(ctx, hashOf), known, mine)
    const refused = planned.outcomes.some((outcome) => outcome.kind === 'refused')
    const idle = planned.changes.size === 0 && !(options.keyed && ctx.idempotency && !refused)
    if (idle || (options.atomic && refused)) {
      open.forEach((index, place) => (outcomes[index] = planned.outcomes[place]))
      break
    }
    const committed = await tryCommit(ctx, planned, mine, options)
    if (committed?.key && committed.key.write_id !== ctx.requestId && ctx.idempotency) {
      return { kind: 'replay', ...replayOf(ctx.idempotency, committed.key) }
    }
    const lost = committed
      ? new Set([...planned.changes.keys()].filter((id) => !committed.written.has(id)))
      : new Set(planned.changes.keys())
    open.forEach((index, place) => {
      const outcome = planned.outcomes[place]
      const id = outcome?.row?.id
      if (outcome && !(id !== undefined && lost.has(id)))
        outcomes[index] = committed ? seen(outcome, committed) : outcome
      else if (attempt === MAX_ATTEMPTS) outcomes[index] = { kind: 'refused', error: conflict(), row: null }
    })
    open = open.filter((index) => outcomes[index] === undefined)
    // An atomic list is planned again as a whole or not at all.
    if (options.atomic && open.length > 0) {
      outcomes.fill(undefined)
      open = operations.map((_, index) => index)
    }
  }
  return { kind: 'settled', outcomes: outcomes.filter((outcome) => outcome !== undefined) }
}

/** Null: something lost a race in a plan that is whole or nothing; nothing was written. */
async function tryCommit(
  ctx: AuthContext,
  planned: Plan,
  operations: readonly Operation[],
  options: ApplyOptions,
): Promise<Committed | null> {
  const audit = operations.flatMap((operation, index) => {
    const outcome = planned.outcomes[index]
    if (!outcome || operation.op === 'retrieve' || outcome.kind === 'refused') return []
    if (outcome.kind === 'done' && outcome.deduplicated) return []
    return [{ itemId: outcome.row.id, action: `memory.${operation.op}`, projectId: outcome.row.project_id }]
  })
  const [first] = planned.outcomes
  const outcome =
    options.keyed && first?.kind === 'done' ? { outcome: { status: first.status, itemId: first.row.id } } : {}
  const atomic = options.atomic === true || planned.released.length > 0
  try {
    return await commit(ctx, planned, { audit, atomic, ...outcome })
  } catch (error) {
    if (atomic && error instanceof Error && /malformed JSON/.test(error.message)) return null
    throw error
  }
}

/** The outcome with the embedding as the commit left it, which may be ahead of what was read before. */
function seen(outcome: Outcome, { written }: Committed): Outcome {
  const state = outcome.row && written.get(outcome.row.id)
  return state && outcome.kind === 'done' ? { ...outcome, row: { ...outcome.row, ...state } } : outcome
}

const conflict = (): AppError =>
  new AppError('conflict', { detail: 'The item was changed by others again and again meanwhile. Try again.' })

async function hashesOf(operations: readonly Operation[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Set<string>()
  for (const operation of operations) {
    const text = 'input' in operation ? operation.input.content?.text : undefined
    if (text !== undefined) texts.add(text)
  }
  return new Map(await Promise.all([...texts].map(async (text) => [text, await sha256(text)] as const)))
}

const plannerOf = (ctx: AuthContext, hashes: ReadonlyMap<string, string>) => ({
  principal: ctx.principal,
  userId: ctx.principal.userId,
  now: ctx.now(),
  newId: () => ctx.newId('mem'),
  quota: ctx.config.quotas.items,
  hashOf: (text: string) => {
    const hash = hashes.get(text)
    if (hash === undefined) throw new Error('every text of the request was hashed')
    return hash
  },
})

/** The one outcome of one operation, or the error that refused it. Names the item in the request's audit row. */
export async function applyOne(
  ctx: AuthContext,
  operation: Operation,
  options: ApplyOptions = {},
): Promise<Exclude<Outcome, { kind: 'refused' }> | Extract<Applied, { kind: 'replay' }>> {
  if (operation.op !== 'store') ctx.trail.resourceIds = [operation.id]
  const applied = await apply(ctx, [operation], options)
  if (applied.kind === 'replay') return applied
  const [outcome] = applied.outcomes
  if (!outcome) throw new Error('an operation has an outcome')
  if (outcome.row) {
    ctx.trail.resourceIds = [outcome.row.id]
    ctx.trail.projectId = outcome.row.project_id
  }
  if (outcome.kind === 'refused') throw outcome.error
  ctx.trail.committed = !(outcome.kind === 'done' && outcome.deduplicated)
  return outcome
}
