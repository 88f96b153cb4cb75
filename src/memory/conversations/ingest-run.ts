import type { AuthContext } from '../../core/context.ts'
import { claimKeeper } from '../../core/idempotency/claim.ts'
import { MAX_BATCH_OPERATIONS } from '../../core/limits.ts'
import { backoffMs } from '../../core/values/backoff.ts'
import type { StoreInput } from '../item.ts'
import { applySlice, applyWhole } from '../operations/apply-slices.ts'
import { textSlices, maxStoredBytes } from '../operations/text-slices.ts'
import { asWaiting, waitForPermit } from '../operations/wait-for-permit.ts'
import { lostRace } from '../write/apply.ts'
import { MAX_ATTEMPTS, PAUSES } from '../write/attempts.ts'
import type { Operation, OperationResult } from '../write/operation.ts'
import { decide, type Decision, type Incoming } from './decide.ts'
import { readState, requireFreeIds, type ConversationPlace, type ConversationState } from './state.ts'
import { MAX_PART } from './turn.ts'

/** What a part of a message, or an item that is none of its parts any more, came to. */
export interface PartResult {
  id: string
  status: 'created' | 'updated' | 'unchanged' | 'retired'
}

/** What every turn of an ingest has. */
type Shared = Omit<StoreInput, 'content' | 'occurred_at'>

interface Work {
  operation: Operation
  number: number
}

/** The work of the next commit, and whether there is more behind it. */
interface Next {
  work: readonly Work[]
  isMore: boolean
}

/** The operation on a part of a message; the surplus ones stand behind those that the message has. */
const numberOf = (index: number, part: number): number => index * (MAX_PART + 1) + part

/** Stores messages in order, in as many commits as they cost. It plans again after each, and after a lost race. */
export class IngestRun {
  readonly #ctx: AuthContext
  readonly #place: ConversationPlace
  readonly #shared: Shared
  readonly #incoming: readonly Incoming[]
  readonly #mode: 'append' | 'history'
  /** By number of an operation. */
  readonly #done = new Map<number, PartResult>()
  readonly #decided = new Map<number, Decision>()
  /** It changed something. */
  hasWritten = false

  constructor(
    ctx: AuthContext,
    place: ConversationPlace,
    { shared, incoming, mode }: { shared: Shared; incoming: readonly Incoming[]; mode: 'append' | 'history' },
  ) {
    this.#ctx = ctx
    this.#place = place
    this.#shared = shared
    this.#incoming = incoming
    this.#mode = mode
    for (const { number, id, isNew } of ctx.idempotency?.done ?? [])
      this.#done.set(number, { id, status: isNew ? 'created' : 'updated' })
    this.hasWritten = this.#done.size > 0
  }

  async run(): Promise<void> {
    await this.#resume()
    const first = await this.#next()
    if (!first.isMore) return this.#rest(first, null)
    const keepClaim = claimKeeper(this.#ctx)
    return asWaiting(this.#ctx, 'long', () => this.#rest(first, keepClaim))
  }

  /** The decision about a message. */
  decisionOf(index: number): Decision {
    const decision = this.#decided.get(index)
    if (!decision) throw new Error('every message is decided')
    return decision
  }

  /** In the order of its parts. */
  partsOf({ index, parts }: Incoming): { parts: PartResult[]; hadSurplus: boolean } {
    const own = parts.flatMap((_, part) => this.#done.get(numberOf(index, part)) ?? [])
    const [least, end] = [numberOf(index, parts.length), numberOf(index + 1, 0)]
    return { parts: own, hadSurplus: this.#done.keys().some((number) => number >= least && number < end) }
  }

  async #rest(first: Next, keepClaim: (() => Promise<void>) | null): Promise<void> {
    let lost = 0
    for (let next = first; next.work.length > 0; next = await this.#next()) {
      const before = this.#done.size
      await this.#apply(next.work, lost === 0)
      if (!next.isMore && next.work.every(({ number }) => this.#done.has(number))) return
      lost = this.#done.size > before ? 0 : lost + 1
      if (lost >= MAX_ATTEMPTS.one) throw lostRace()
      if (lost > 0) await scheduler.wait(backoffMs(lost, PAUSES, (this.#ctx.random(1)[0] ?? 0) / 255))
      else if (keepClaim) await waitForPermit(this.#ctx, 'memory.store', 'ingest', keepClaim)
    }
  }

  async #apply(work: readonly Work[], isFirst: boolean): Promise<void> {
    const options = { once: { isFirst } }
    const applied = await applySlice(this.#ctx, work, maxStoredBytes(work.map(({ operation }) => operation)), options)
    if (applied.kind === 'applied') return this.#record(work, applied.results)
    const [slice = []] = textSlices(work, applied.costs)
    this.#record(slice, await applyWhole(this.#ctx, slice, options))
  }

  #record(work: readonly Work[], results: readonly OperationResult[]): void {
    for (const [n, result] of results.entries()) {
      const number = work[n]?.number
      if (number === undefined || (result.kind === 'refused' && result.isLost)) continue
      if (result.kind === 'refused') throw result.error
      this.#done.set(number, partResult(result))
      this.hasWritten ||= result.kind === 'deleted' || result.written
    }
  }

  /** Plans what is open on the conversation as it is now, and answers the work of the next commit. */
  async #next(): Promise<Next> {
    const keys = this.#incoming.flatMap((message) => message.keys)
    const state = await readState(this.#ctx, this.#place, { keys, withHistory: this.#mode === 'history' })
    requireFreeIds(keys, state)
    const decisions = decide(this.#incoming, state, { mode: this.#mode, now: this.#ctx.now() })
    const open = this.#incoming.flatMap((message, n) => {
      const decision = decisions[n]
      if (!decision) throw new Error('every message is decided')
      return this.#open(message, decision, state)
    })
    const slices = textSlices(open.slice(0, MAX_BATCH_OPERATIONS))
    return { work: slices[0] ?? [], isMore: slices.length > 1 || open.length > MAX_BATCH_OPERATIONS }
  }

  /** The operations of a message that are not done. What was begun goes on as it was decided, on what is surplus now. */
  #open(message: Incoming, now: Decision, state: ConversationState): Work[] {
    const { index, parts } = message
    const isBegun = parts.some((_, part) => this.#done.has(numberOf(index, part)))
    const decision = (isBegun ? this.#decided.get(index) : null) ?? now
    this.#decided.set(index, decision)
    if (decision.kind !== 'store') return []
    const surplus = now.kind === 'store' ? now.surplus : []
    const all = [
      ...parts.map((text, part): Work => ({
        number: numberOf(index, part),
        operation: this.#store(message, { text, part, decision, state }),
      })),
      ...surplus.map(({ id, part }): Work => ({ number: numberOf(index, part), operation: { op: 'delete', id } })),
    ]
    return all.filter(({ number }) => !this.#done.has(number))
  }

  #store(
    { role, speaker, messageId }: Incoming,
    { text, part, decision, state }: { text: string; part: number; decision: Stored; state: ConversationState },
  ): Operation {
    const isNew = decision.isKnown[part] === false
    return {
      op: 'store',
      input: { ...this.#shared, content: { text }, occurred_at: decision.occurredAt },
      turn: {
        role,
        speaker,
        messageId,
        part,
        keepsRest: true,
        isUnique: decision.isUnique,
        ...(isNew ? { newAt: state.version } : {}),
      },
    }
  }

  /** A message without a time that an earlier request began keeps the time that it got there. */
  async #resume(): Promise<void> {
    if (this.#done.size === 0) return
    const rows = await this.#ctx.db.all<{ id: string; occurred_at: number }>(
      'select id, occurred_at from memory_items where id in (select value from json_each(:ids)) and tenant_id = :tenant and project_id = :project',
      {
        ids: JSON.stringify([...this.#done.values()].map(({ id }) => id)),
        tenant: this.#ctx.principal.tenantId,
        project: this.#place.target.projectId,
      },
    )
    const times = new Map(rows.map((row) => [row.id, row.occurred_at]))
    for (const { index, parts } of this.#incoming) {
      const begun = this.#done.get(numberOf(index, 0))
      const occurredAt = begun && times.get(begun.id)
      if (occurredAt === undefined) continue
      const isKnown = parts.map(() => true)
      this.#decided.set(index, { kind: 'store', occurredAt, isUnique: false, isKnown, surplus: [] })
    }
  }
}

type Stored = Extract<Decision, { kind: 'store' }>

function partResult(result: Exclude<OperationResult, { kind: 'refused' }>): PartResult {
  const { id } = result.row
  if (result.kind === 'deleted') return { id, status: 'updated' }
  if (result.status === 201) return { id, status: 'created' }
  if (result.written) return { id, status: 'updated' }
  return { id, status: result.row.retired_at === null ? 'unchanged' : 'retired' }
}
