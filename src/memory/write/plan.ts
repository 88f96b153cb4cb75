import type { Principal } from '../../core/context.ts'
import { AppError, invalid, isAppError, notFound } from '../../core/errors.ts'
import { defaultProject, forbidden, noDefaultProject, permits, ROLES_THAT } from '../../identity/index.ts'
import { DEFAULT_NAMESPACE, type StoreInput } from '../item.ts'
import { movesWords, type Change, type Plan } from './change.ts'
import { customIdKey, holderAmong, idsToRelease, requireFree, requireReplaceable } from './custom-ids.ts'
import type { KeptTimes, Operation, OperationResult } from './operation.ts'
import { requireQuota } from './quota.ts'
import { changedRow, newRow, saysTheSame, type Author, type PlannedRow } from './planned-row.ts'
import { memberKey, type Snapshot, type SnapshotItem } from './snapshot.ts'

export interface PlanContext extends Author {
  principal: Principal
  newId(): string
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

/** An item as the operations so far have left it. */
interface Draft extends SnapshotItem {
  change: Change | null
}

class Planner {
  readonly #context: PlanContext
  readonly #snapshot: Snapshot
  readonly #drafts = new Map<string, Draft>()
  readonly #changes = new Map<string, Change>()
  readonly #expired = new Set<string>()
  /** Items that the plan adds to the tenant, minus those that it deletes. */
  #growth = 0

  constructor(context: PlanContext, snapshot: Snapshot) {
    this.#context = context
    this.#snapshot = snapshot
    for (const item of snapshot.items.values()) {
      if (item.expired) this.#expired.add(item.row.id)
      else this.#drafts.set(item.row.id, { ...item, change: null })
    }
  }

  run(operations: readonly Operation[]): Plan {
    const results = operations.map((operation) => this.#resultOf(operation))
    const taken = new Set(
      [...this.#changes.values()].filter((c) => c.row.custom_id !== null).map((c) => customIdKey(c.row)),
    )
    const expired = [...this.#expired].filter((id) => {
      const row = this.#snapshot.items.get(id)?.row
      return row !== undefined && row.custom_id !== null && taken.has(customIdKey(row))
    })
    const released = idsToRelease(this.#changes.values(), (id) => this.#snapshot.items.get(id)?.row)
    return { results, changes: this.#changes, expired, released }
  }

  #resultOf(operation: Operation): OperationResult {
    try {
      if (operation.op === 'store') return this.#store(operation.input, operation.times ?? null)
      const draft = this.#find(operation.id)
      if (operation.op === 'retrieve') return done(200, draft.row)
      this.#requireWritable(draft, operation.ifMatch)
      if (operation.op === 'delete') return this.#delete(draft)
      this.#update(draft, operation.input)
      return done(200, draft.row)
    } catch (error) {
      if (!isAppError(error)) throw error
      const row = operation.op === 'store' ? null : (this.#drafts.get(operation.id)?.row ?? null)
      return { kind: 'refused', error, row }
    }
  }

  #store(input: StoreInput, times: KeptTimes | null): OperationResult {
    const named = input.context?.project_id
    const projectId = named ?? defaultProject(this.#context.principal)
    const namespace = input.context?.namespace ?? DEFAULT_NAMESPACE
    this.#requirePlace(projectId, namespace, named !== undefined)
    const holder = input.custom_id == null ? null : this.#holderOf(projectId, namespace, input.custom_id)
    if (holder) {
      requireReplaceable(holder)
      this.#update(holder, input)
      return done(200, holder.row)
    }
    const equal = input.deduplicate ? this.#withText(projectId, namespace, input) : null
    if (equal) return { ...done(200, equal.row), deduplicated: true }
    requireQuota(this.#context.quota, this.#snapshot.usage === null ? null : this.#snapshot.usage + this.#growth)
    if (times) this.#requireManaged(projectId)
    const row = newRow(this.#context, this.#context.newId(), projectId, namespace, input, times)
    this.#requireMembers(row, input.permissions)
    const change: Change = {
      row,
      base: 0,
      deleted: false,
      wordsChanged: true,
      toEmbed: true,
      metadataChanged: true,
      tagsChanged: row.tags !== '[]',
      grantsChanged: row.permissions !== null && row.permissions !== '[]',
      deduplicate: input.deduplicate === true,
      ttlChanged: false,
      keepsTimes: times !== null,
      earlierTexts: [],
      events: [{ type: 'memory.created', version: row.version }],
    }
    this.#growth += 1
    this.#changes.set(row.id, change)
    this.#drafts.set(row.id, { row, readable: true, writable: true, manageable: true, expired: false, change })
    return done(201, row)
  }

  #update(draft: Draft, input: Parameters<typeof changedRow>[2]): void {
    const before = draft.row
    if ((input.visibility !== undefined || input.permissions !== undefined) && !draft.manageable) {
      throw forbidden('Only its creator and admins can change who has access to this item.')
    }
    const row = changedRow(this.#context, before, input)
    if (row.namespace !== before.namespace) this.#requirePlace(row.project_id, row.namespace, true)
    this.#requireMembers(row, input.permissions)
    if (row.custom_id !== null && customIdKey(row) !== customIdKey(before)) {
      requireFree(this.#holderOf(row.project_id, row.namespace, row.custom_id), row.id)
    }
    const change = this.#changeOf(draft)
    // Only the text that came with `deduplicate` gives way to an equal one, not a later text of the same item.
    if (row.text !== before.text || row.namespace !== before.namespace) change.deduplicate = false
    if (row.text !== before.text) {
      change.earlierTexts.push({
        version: before.text_version,
        text: before.text,
        written_by: before.text_by,
        written_at: before.text_at,
      })
    }
    change.wordsChanged ||= movesWords(row, before)
    change.toEmbed ||= row.vector_version === row.version
    change.metadataChanged ||= row.metadata !== before.metadata
    change.tagsChanged ||= row.tags !== before.tags
    change.grantsChanged ||= row.permissions !== before.permissions
    change.ttlChanged ||= input.ttl !== undefined
    change.events.push({ type: 'memory.updated', version: row.version })
    change.row = row
    draft.row = row
  }

  #delete(draft: Draft): OperationResult {
    const change = this.#changeOf(draft)
    change.deleted = true
    change.events.push({ type: 'memory.deleted', version: draft.row.version })
    this.#growth -= 1
    this.#drafts.delete(draft.row.id)
    return { kind: 'deleted', row: draft.row }
  }

  #changeOf(draft: Draft): Change {
    if (draft.change) return draft.change
    const change: Change = {
      row: draft.row,
      base: draft.row.version,
      deleted: false,
      wordsChanged: false,
      toEmbed: false,
      metadataChanged: false,
      tagsChanged: false,
      grantsChanged: false,
      deduplicate: false,
      ttlChanged: false,
      keepsTimes: false,
      earlierTexts: [],
      events: [],
    }
    draft.change = change
    this.#changes.set(draft.row.id, change)
    return change
  }

  #find(id: string): Draft {
    const draft = this.#drafts.get(id)
    if (!draft?.readable) throw notFound('memory item')
    return draft
  }

  #holderOf(projectId: string, namespace: string, customId: string): Draft | null {
    return holderAmong(this.#drafts.values(), { project_id: projectId, namespace, custom_id: customId })
  }

  #withText(projectId: string, namespace: string, input: StoreInput): Draft | null {
    for (const draft of this.#drafts.values())
      if (draft.readable && saysTheSame(draft.row, projectId, namespace, input)) return draft
    return null
  }

  #requireWritable(draft: Draft, ifMatch: ReadonlySet<number> | null | undefined): void {
    if (!draft.writable) throw forbidden('You can read this memory item but not change it.')
    if (ifMatch && !ifMatch.has(draft.row.version)) {
      throw new AppError('precondition_failed', { detail: `The item is at version ${draft.row.version}.` })
    }
  }

  /** Refuses a place that is hidden (404, for a default project 422) or that the caller may only read (403). */
  #requirePlace(projectId: string, namespace: string, named: boolean): void {
    const { principal } = this.#context
    const role = this.#snapshot.roles?.get(projectId)
    const hidden = this.#snapshot.roles !== null && role === undefined && !this.#holdsItemsOf(projectId)
    if (hidden || !permits(principal, projectId, 'read')) {
      throw named ? notFound('project', projectId) : noDefaultProject()
    }
    if (!permits(principal, projectId, 'read', namespace)) throw notFound('namespace')
    if (role !== undefined && !ROLES_THAT.write.includes(role)) {
      throw forbidden('Your role in this project cannot write.')
    }
    if (!permits(principal, projectId, 'write', namespace)) throw forbidden('This key can only read this project.')
  }

  #requireManaged(projectId: string): void {
    const role = this.#snapshot.roles?.get(projectId)
    if (!role || !ROLES_THAT.manage.includes(role)) throw forbidden('You no longer administer this project.')
  }

  /** The snapshot holds roles for stores only. For an update, a writable item shows that the caller reaches the project. */
  #holdsItemsOf(projectId: string): boolean {
    return [...this.#drafts.values()].some((draft) => draft.writable && draft.row.project_id === projectId)
  }

  #requireMembers(row: PlannedRow, permissions: { user_id: string }[] | undefined): void {
    permissions?.forEach(({ user_id }, index) => {
      if (this.#snapshot.members.has(memberKey(row.project_id, user_id))) return
      throw invalid(
        `permissions.${index}.user_id`,
        'unknown_member',
        'Only members of the project can be given access.',
      )
    })
  }
}

const done = (status: 200 | 201, row: PlannedRow): Extract<OperationResult, { kind: 'done' }> => ({
  kind: 'done',
  status,
  row,
  deduplicated: false,
})
