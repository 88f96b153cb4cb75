import type { AuthContext, DoneOperation } from '../../core/context.ts'
import { viaOf } from '../../core/principal.ts'
import { AppError } from '../../core/errors.ts'
import { holderOf, replayOf, requireHeld } from '../../core/idempotency/claim.ts'
import { backoffMs } from '../../core/values/backoff.ts'
import { sha256 } from '../../core/values/hash.ts'
import { turnKey } from '../conversations/turn.ts'
import { requireFewCharacters } from './atomic-limit.ts'
import { MAX_ATTEMPTS, PAUSES } from './attempts.ts'
import type { Plan } from './plan/change.ts'
import { commitPlan, type CommitOptions } from './commit.ts'
import { textOf, type Operation, type OperationResult } from './operation.ts'
import { plan, type PlanContext } from './plan/plan.ts'
import type { Hashed } from './snapshot-keys.ts'
import { EMPTY_SNAPSHOT, loadSnapshot, needsNoSnapshot, type Snapshot, type TooMuch } from './snapshot.ts'

/** Another request finished first with the same idempotency key: its answer stands. */
export interface Replay {
  kind: 'replay'
  status: number
  resource: string
}

export type Applied = { kind: 'applied'; results: OperationResult[] } | Replay

export interface ApplyOptions {
  /** All operations or none: where one is refused, nothing is written. Their texts have the bounds of contract §3. */
  atomic?: boolean
  /** The stored texts are read in parts, and this runs before each. */
  beforeEachRead?: (() => Promise<void>) | undefined
  /** The operations are all that the request does, so its idempotency key commits with them. */
  keyed?: boolean
  /** Runs them once and answers which of them lost a race. `isFirst`: none of them has run before. */
  once?: { isFirst: boolean }
  /** The number of each operation in the request, by which its idempotency key, where it has one, keeps what is done. */
  numbers?: readonly number[] | undefined
}

/**
 * Runs a list of operations: it reads what they touch, plans, commits, and plans again the operations that lost a race.
 * A list of plain stores reads nothing, so a store is one round trip.
 */
export async function apply(
  ctx: AuthContext,
  operations: readonly Operation[],
  options: ApplyOptions = {},
): Promise<Applied> {
  const applied = await applyWithin(ctx, operations, null, options)
  if (applied.kind === 'too_much') throw new Error('without a bound nothing is too much')
  return applied
}

/** The same where the stored items that the operations touch cost at most `maxCost`, in bytes; otherwise nothing is done. */
export async function applyWithin(
  ctx: AuthContext,
  operations: readonly Operation[],
  maxCost: number | null,
  options: ApplyOptions,
): Promise<Applied | TooMuch> {
  const hashed = { hashes: await hashesOf(operations), turnKeys: await turnKeysOf(ctx, operations) }
  const results: (OperationResult | null)[] = operations.map(() => null)
  const numbers = ctx.idempotency ? options.numbers : undefined
  const maxAttempts = options.once ? 1 : operations.length === 1 ? MAX_ATTEMPTS.one : MAX_ATTEMPTS.list
  const isRepeated = options.once?.isFirst === false
  for (let attempt = 1; attempt <= maxAttempts && results.includes(null); attempt++) {
    if (attempt > 1) await scheduler.wait(backoffMs(attempt - 1, PAUSES, (ctx.random(1)[0] ?? 0) / 255))
    // An atomic list is planned again as a whole.
    const open = [...operations.entries()].filter(([index]) => options.atomic || results[index] === null)
    const openOperations = open.map(([, operation]) => operation)
    const noRead = attempt === 1 && !isRepeated && needsNoSnapshot(openOperations)
    const reading = {
      maxCost: attempt === 1 ? maxCost : null,
      beforeEachRead: options.beforeEachRead,
      withErasures: attempt > 1 || isRepeated,
    }
    const snapshot = noRead ? EMPTY_SNAPSHOT : await loadSnapshot(ctx, openOperations, hashed, reading)
    if (snapshot.kind === 'too_much') return snapshot
    if (snapshot.kind === 'outdated') continue
    const planned = plan(planContextOf(ctx, hashed, snapshot.erasing), snapshot, openOperations)
    const openNumbers = numbers && open.map(([index]) => numbers[index] ?? index)
    if (options.atomic) requireFewCharacters(openOperations, planned, snapshot)
    const executed = await executePlan(ctx, planned, openOperations, { ...options, numbers: openNumbers })
    if (executed.kind === 'replay') return executed
    open.forEach(([index], place) => (results[index] = executed.results[place] ?? null))
  }
  return { kind: 'applied', results: results.map((result) => result ?? lostEveryRace()) }
}

/** Commits a plan unless it writes nothing. The result of an operation is null where it lost a race. */
async function executePlan(
  ctx: AuthContext,
  planned: Plan,
  operations: readonly Operation[],
  options: ApplyOptions,
): Promise<{ kind: 'executed'; results: (OperationResult | null)[] } | Replay> {
  const { changes, successors, results } = planned
  const refused = results.some((result) => result.kind === 'refused')
  const takesKey = options.keyed === true && ctx.idempotency !== null && !refused
  if ((options.atomic && refused) || (changes.size === 0 && !takesKey)) return { kind: 'executed', results }
  const committed = await commitPlan(ctx, planned, commitOptions(planned, operations, options))
  // A commit that was undone as a whole reads nothing back: the key may be why.
  const keyed = options.numbers !== undefined || takesKey ? ctx.idempotency : null
  const key = keyed && (committed ? committed.key : await holderOf(ctx, keyed))
  if (options.numbers && keyed) requireHeld(ctx, key)
  if (keyed && key && key.write_id !== ctx.requestId) return { kind: 'replay', ...replayOf(keyed, key) }
  const withWritten = (result: OperationResult): OperationResult | null => {
    if (!result.row || !(changes.has(result.row.id) || successors.has(result.row.id))) return result
    const written = committed?.written.get(result.row.id)
    if (!written) return null
    // The embedding as the commit left it may be ahead of what the plan read.
    return result.kind === 'done' ? { ...result, row: { ...result.row, ...written } } : result
  }
  return { kind: 'executed', results: results.map(withWritten) }
}

function commitOptions(planned: Plan, operations: readonly Operation[], options: ApplyOptions): CommitOptions {
  const audit = operations.flatMap((operation, index) => {
    const result = planned.results[index]
    if (!result || result.kind === 'refused' || !isWritten(result)) return []
    const { id, project_id: projectId } = result.row
    const superseded = operation.op === 'store' ? (operation.input.supersedes ?? []) : []
    return [
      { itemId: id, action: `memory.${operation.op}`, projectId },
      ...superseded.map((one) => ({ itemId: one.id, action: 'memory.retire', projectId })),
    ]
  })
  const [first] = planned.results
  return {
    audit,
    atomic: options.atomic === true || planned.isWhole,
    limited: options.atomic === true,
    ...(options.keyed && first?.kind === 'done' ? { answer: { status: first.status, itemId: first.row.id } } : {}),
    ...(options.numbers ? { progress: progressOf(planned, options.numbers) } : {}),
  }
}

/** The operations that are done once their item is written. Any other writes nothing, so a retry runs it again. */
const progressOf = ({ results }: Plan, numbers: readonly number[]): DoneOperation[] =>
  results.flatMap((result, index) => {
    const number = numbers[index]
    if (number === undefined || result.kind === 'refused' || !isWritten(result)) return []
    return [{ number, id: result.row.id, isNew: result.kind === 'done' && result.status === 201 }]
  })

const isWritten = (result: OperationResult): boolean => result.kind !== 'done' || result.written

export const lostRace = (): AppError =>
  new AppError('conflict', { detail: 'Other requests kept changing this item. Try again.' })

const lostEveryRace = (): OperationResult => ({
  kind: 'refused',
  isLost: true,
  error: lostRace(),
  row: null,
})

async function hashesOf(operations: readonly Operation[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Set<string>()
  for (const operation of operations) {
    const text = textOf(operation)
    if (text !== undefined) texts.add(text)
  }
  return new Map(await Promise.all([...texts].map(async (text) => [text, await sha256(text)] as const)))
}

async function turnKeysOf(ctx: AuthContext, operations: readonly Operation[]): Promise<Hashed['turnKeys']> {
  const keyed = operations.map(async (operation): Promise<[Operation, string][]> => {
    if (operation.op !== 'store' || !operation.turn) return []
    const { content, occurred_at = null } = operation.input
    const made = { occurredAt: occurred_at, text: content.text, newKey: () => ctx.newId('mem') }
    return [[operation, await turnKey(operation.turn, made)]]
  })
  return new Map((await Promise.all(keyed)).flat())
}

const planContextOf = (ctx: AuthContext, { hashes, turnKeys }: Hashed, erasing: Snapshot['erasing']): PlanContext => ({
  erasing,
  principal: ctx.principal,
  userId: ctx.principal.userId,
  via: viaOf(ctx.principal),
  now: ctx.now(),
  newId: () => ctx.newId('mem'),
  quota: ctx.config.quotas.items,
  hashOf: (text) => {
    const hash = hashes.get(text)
    if (hash === undefined) throw new Error('every text of the request was hashed')
    return hash
  },
  turnKeyOf: (operation) => turnKeys.get(operation) ?? null,
})

/** Runs one operation and throws the error that refused it. It names the item in the request's audit row. */
export async function applyOne(
  ctx: AuthContext,
  operation: Operation,
  options: ApplyOptions = {},
): Promise<Exclude<OperationResult, { kind: 'refused' }> | Replay> {
  if (operation.op !== 'store') ctx.trail.resourceIds = [operation.id]
  const applied = await apply(ctx, [operation], options)
  if (applied.kind === 'replay') return applied
  const [result] = applied.results
  if (!result) throw new Error('an operation has a result')
  if (result.row) {
    ctx.trail.resourceIds = [result.row.id]
    ctx.trail.projectId = result.row.project_id
  }
  if (result.kind === 'refused') throw result.error
  ctx.trail.committed = isWritten(result)
  return result
}
