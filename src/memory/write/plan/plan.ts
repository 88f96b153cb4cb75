import type { Principal } from '../../../core/context.ts'
import { invalid, isAppError } from '../../../core/errors.ts'
import { defaultProject, forbidden } from '../../../identity/index.ts'
import type { Turn } from '../../conversations/turn.ts'
import { DEFAULT_NAMESPACE, type StoreInput } from '../../item.ts'
import { requireNotErased } from '../../erasures/being-erased.ts'
import { newChange, type Plan, type PlannedTurn } from './change.ts'
import { customIdKey, idsToRelease, requireFree, requireReplaceable } from './custom-ids.ts'
import { Drafts, type Draft } from './drafts.ts'
import type { Operation, OperationResult } from '../operation.ts'
import { requireManaged, requireMembers, requirePlace } from './place.ts'
import { requireQuota } from '../quota.ts'
import { changedRow, newRow, type Author, type PlannedRow } from './planned-row.ts'
import { requireCurrent, requireNotRetired, restoreDraft, restoredRow, retireDraft } from './retire-draft.ts'
import type { Snapshot } from '../snapshot.ts'
import { findSuperseded, requireStillReadable, requireSuccessor, retiredSuccessor } from './supersede.ts'
import { findTurn, isUnchanged, messageTaken, turnPlaceKey, type FoundTurn } from './turn-draft.ts'
import { requireVersion, requireWritable } from './writable-draft.ts'

export interface PlanContext extends Author {
  principal: Principal
  newId(): string
  /** What identifies the turn of a store; null where it stores a note. */
  turnKeyOf(operation: Operation): string | null
  /** Items that a tenant may have; null: no quota. */
  quota: number | null
}

/**
 * Decides the result of each operation, and the sum of all for each item. An operation sees the changes of those before
 * it. Pure: the commit guards every row that the plan rests on, so a plan on an outdated snapshot changes nothing.
 */
export function plan(context: PlanContext, snapshot: Snapshot, operations: readonly Operation[]): Plan {
  return new Planner(context, snapshot).run(operations)
}

type Store = Extract<Operation, { op: 'store' }>

class Planner {
  readonly #context: PlanContext
  readonly #snapshot: Snapshot
  readonly #drafts: Drafts
  /** Items that supersede others. */
  readonly #successors = new Set<string>()
  /** Items that the plan adds to the tenant, minus those that it deletes. */
  #growth = 0

  constructor(context: PlanContext, snapshot: Snapshot) {
    this.#context = context
    this.#snapshot = snapshot
    this.#drafts = new Drafts(snapshot)
  }

  run(operations: readonly Operation[]): Plan {
    const results = operations.map((operation) => this.#resultOf(operation))
    const { changes } = this.#drafts
    const all = [...changes.values()]
    const taken = new Set(all.filter((c) => c.row.custom_id !== null).map((c) => customIdKey(c.row)))
    const takenTurns = new Set(all.flatMap(({ row, turn }) => (turn ? [turnPlaceKey(row, turn)] : [])))
    const rowBefore = (id: string) => this.#snapshot.items.get(id)?.row
    const expired = [...this.#drafts.expired].filter((id) => {
      const item = this.#snapshot.items.get(id)
      if (!item) return false
      const { row, turn } = item
      return (
        (row.custom_id !== null && taken.has(customIdKey(row))) ||
        (turn !== null && takenTurns.has(turnPlaceKey(row, turn)))
      )
    })
    const released = idsToRelease(all, rowBefore)
    const successors = [...this.#successors].filter((id) => !changes.has(id))
    return {
      results,
      changes,
      expired,
      released,
      successors: new Map(successors.map((id) => [id, rowBefore(id)?.version ?? 0])),
      isWhole: released.length > 0 || this.#successors.size > 0 || all.some((c) => c.wasRetired && !c.deleted),
    }
  }

  #resultOf(operation: Operation): OperationResult {
    try {
      if (operation.op === 'store') return this.#store(operation)
      const draft = this.#drafts.find(operation.id)
      if (operation.op === 'retrieve') return { ...done(200, draft.row), written: false }
      requireWritable(draft)
      requireVersion(draft, operation.ifMatch)
      return this.#change(draft, operation)
    } catch (error) {
      if (!isAppError(error)) throw error
      const row = operation.op === 'store' ? null : this.#drafts.rowOf(operation.id)
      return { kind: 'refused', error, row }
    }
  }

  #change(draft: Draft, operation: Exclude<Operation, { op: 'store' | 'retrieve' }>): OperationResult {
    if (operation.op === 'delete') return this.#delete(draft)
    if (operation.op === 'update') {
      requireNotRetired(draft)
      this.#drafts.take(draft, this.#changed(draft, operation.input), operation.input)
    } else if (operation.op === 'retire') {
      requireCurrent(draft)
      this.#retire(draft, { reason: operation.reason, successor: null })
    } else restoreDraft(this.#context, this.#drafts, draft)
    return done(200, draft.row)
  }

  #store(operation: Store): OperationResult {
    const { input } = operation
    const named = input.context?.project_id
    const projectId = named ?? defaultProject(this.#context.principal)
    const namespace = input.context?.namespace ?? DEFAULT_NAMESPACE
    this.#requirePlace(projectId, namespace, named !== undefined)
    const found = this.#turnOf(operation, { projectId, namespace })
    if (found?.holder) return this.#replaceTurn(found.holder, operation)
    const holder = input.custom_id == null ? null : this.#drafts.holderOf(projectId, namespace, input.custom_id)
    if (holder) requireReplaceable(holder, operation.ifAbsent)
    const superseded = findSuperseded(this.#drafts, input)
    if (holder) return this.#replace(holder, operation, superseded)
    const equal = input.deduplicate ? this.#drafts.withText(projectId, namespace, input) : null
    if (equal) {
      requireSuccessor(superseded, equal.row)
      this.#supersede(equal, superseded, input)
      return { ...done(200, equal.row), deduplicated: true, written: superseded.length > 0 }
    }
    return this.#add(operation, { projectId, namespace, turn: found?.turn ?? null }, superseded)
  }

  #turnOf(operation: Store, { projectId, namespace }: { projectId: string; namespace: string }): FoundTurn | null {
    const { turn, input } = operation
    const key = this.#context.turnKeyOf(operation)
    if (!turn || key === null) return null
    const conversationId = input.context?.conversation_id ?? null
    if (conversationId === null) throw invalid('context.conversation_id', 'required', 'A turn needs a conversation.')
    const place = { project_id: projectId, namespace, conversation_id: conversationId }
    return findTurn(this.#drafts, place, { turn, key, newId: () => this.#context.newId() })
  }

  /** A message that is stored already stays as it is, unless it says something else. */
  #replaceTurn(holder: Draft, operation: Store): OperationResult {
    const { turn, input } = operation
    if (!turn || isUnchanged(holder, input, turn))
      return { ...done(200, holder.row), deduplicated: true, written: false }
    if (!holder.writable) throw messageTaken()
    const said = turn.keepsRest ? { content: { text: input.content.text } } : input
    return this.#replace(holder, { ...operation, input: said }, findSuperseded(this.#drafts, said))
  }

  #add(
    { input, times = null, retirement, turn: said = null }: Store,
    { projectId, namespace, turn }: { projectId: string; namespace: string; turn: PlannedTurn | null },
    superseded: readonly Draft[],
  ): OperationResult {
    requireQuota(this.#context.quota, this.#snapshot.usage === null ? null : this.#snapshot.usage + this.#growth)
    if (times) requireManaged(this.#snapshot, projectId)
    const row = newRow(this.#context, this.#context.newId(), projectId, namespace, input, {
      times,
      turn: said,
    })
    requireMembers(this.#snapshot, row, input.permissions)
    requireSuccessor(superseded, row)
    if (retirement) {
      if (superseded.length > 0) throw retiredSuccessor()
      row.retired_at = retirement.at ?? this.#context.now
      row.retired_reason = retirement.reason
    }
    this.#growth += 1
    const draft = this.#drafts.add({
      ...newChange(row, turn),
      deduplicate: input.deduplicate === true,
      keepsTimes: times !== null,
    })
    this.#supersede(draft, superseded, input)
    return done(201, row)
  }

  /** A store under the `custom_id` of an item, or of a message that is stored, updates it. A retired one stays as it is, unless the text is another. */
  #replace(holder: Draft, { input, retirement, turn = null }: Store, superseded: readonly Draft[]): OperationResult {
    const isRetired = holder.row.retired_at !== null
    if (isRetired && input.content.text === holder.row.text) {
      if (superseded.length > 0) throw retiredSuccessor()
      return { ...done(200, holder.row), written: false }
    }
    const changed = this.#changed(holder, input, holder.turn && turn)
    const row = isRetired ? restoredRow(changed) : changed
    if (retirement && superseded.length > 0) throw retiredSuccessor()
    requireSuccessor(superseded, row)
    this.#drafts.take(holder, row, input)
    this.#supersede(holder, superseded, input)
    if (retirement) this.#retire(holder, { reason: retirement.reason, successor: null })
    return done(200, holder.row)
  }

  #supersede(successor: Draft, superseded: readonly Draft[], { supersede_reason }: StoreInput): void {
    if (superseded.length === 0) return
    requireNotErased(this.#context.erasing, successor.row)
    this.#successors.add(successor.row.id)
    for (const draft of superseded)
      this.#retire(draft, { reason: supersede_reason ?? null, successor: successor.row.id })
  }

  #retire(draft: Draft, retirement: { reason: string | null; successor: string | null }): void {
    retireDraft(this.#context, this.#drafts, draft, retirement)
  }

  /** The next version of an item, which its place, members and `custom_id` allow. */
  #changed(draft: Draft, input: Parameters<typeof changedRow>[2], turn: Turn | null = null): PlannedRow {
    const before = draft.row
    if ((input.visibility !== undefined || input.permissions !== undefined) && !draft.manageable) {
      throw forbidden('Only its creator and admins can change who has access to this item.')
    }
    const row = changedRow(this.#context, before, input, turn)
    if (row.namespace !== before.namespace) this.#requirePlace(row.project_id, row.namespace, true)
    requireMembers(this.#snapshot, row, input.permissions)
    requireStillReadable(this.#drafts.supersededBy(row.id), row)
    if (row.custom_id !== null && customIdKey(row) !== customIdKey(before)) {
      requireFree(this.#drafts.holderOf(row.project_id, row.namespace, row.custom_id), row.id)
    }
    return row
  }

  #delete(draft: Draft): OperationResult {
    const change = this.#drafts.changeOf(draft)
    change.deleted = true
    change.events.push({ type: 'memory.deleted', version: draft.row.version })
    this.#growth -= 1
    this.#drafts.remove(draft.row.id)
    return { kind: 'deleted', row: draft.row }
  }

  #requirePlace(projectId: string, namespace: string, named: boolean): void {
    requirePlace(this.#context.principal, this.#snapshot, this.#drafts, { projectId, namespace, named })
  }
}

const done = (status: 200 | 201, row: PlannedRow): Extract<OperationResult, { kind: 'done' }> => ({
  kind: 'done',
  status,
  row,
  deduplicated: false,
  written: true,
})
