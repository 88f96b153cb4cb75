import type { Principal } from '../../core/context.ts'
import { AppError, invalid, isAppError, notFound } from '../../core/errors.ts'
import { defaultProject, forbidden, permits, ROLES_THAT } from '../../identity/index.ts'
import { customIdTaken, keyOf, passedOn } from './custom-ids.ts'
import { DEFAULT_NAMESPACE, type StoreInput } from '../item.ts'
import type { Snapshot, SnapshotItem } from './snapshot.ts'
import type { Change, Operation, Outcome, Plan, PlannedRow } from './operation.ts'
import { changedRow, newRow, type Author } from './revise.ts'

export interface Planner extends Author {
  principal: Principal
  newId(): string
  /** Items that a tenant may have; null: no quota. */
  quota: number | null
}

/**
 * Decides what each operation does, each seeing what those before it did, and what they come to for each item. Pure:
 * the commit guards every row that the plan rests on, so a plan made on old knowledge changes nothing.
 */
export function plan(planner: Planner, known: Snapshot, operations: readonly Operation[]): Plan {
  return new Planning(planner, known).run(operations)
}

/** An item in the course of a plan. */
interface Draft extends SnapshotItem {
  change: Change | null
}

class Planning {
  readonly #planner: Planner
  readonly #known: Snapshot
  readonly #drafts = new Map<string, Draft>()
  readonly #changes = new Map<string, Change>()
  readonly #expired = new Set<string>()
  /** Change of the tenant's number of items. */
  #growth = 0

  constructor(planner: Planner, known: Snapshot) {
    this.#planner = planner
    this.#known = known
    for (const item of known.items.values()) {
      if (item.expired) this.#expired.add(item.row.id)
      else this.#drafts.set(item.row.id, { ...item, change: null })
    }
  }

  run(operations: readonly Operation[]): Plan {
    const outcomes = operations.map((operation) => this.#settle(operation))
    const taken = new Set([...this.#changes.values()].filter((c) => c.row.custom_id !== null).map((c) => keyOf(c.row)))
    const expired = [...this.#expired].filter((id) => {
      const row = this.#known.items.get(id)?.row
      return row !== undefined && row.custom_id !== null && taken.has(keyOf(row))
    })
    const released = passedOn(this.#changes.values(), (id) => this.#known.items.get(id)?.row)
    return { outcomes, changes: this.#changes, expired, released }
  }

  #settle(operation: Operation): Outcome {
    try {
      if (operation.op === 'store') return this.#store(operation.input)
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

  #store(input: StoreInput): Outcome {
    const named = input.context?.project_id
    const projectId = named ?? defaultProject(this.#planner.principal)
    const namespace = input.context?.namespace ?? DEFAULT_NAMESPACE
    this.#requirePlace(projectId, namespace, named !== undefined)
    const holder = input.custom_id == null ? null : this.#holder(projectId, namespace, input.custom_id)
    if (holder) {
      if (!holder.readable || !holder.writable) throw customIdTaken()
      this.#update(holder, input)
      return done(200, holder.row)
    }
    const equal = input.deduplicate ? this.#equal(projectId, namespace, input.content.text) : null
    if (equal) return { ...done(200, equal.row), deduplicated: true }
    this.#requireQuota()
    const row = newRow(this.#planner, this.#planner.newId(), projectId, namespace, input)
    this.#requireMembers(row, input.permissions)
    const change: Change = {
      row,
      base: 0,
      deleted: false,
      reworded: true,
      reembedded: true,
      retagged: row.tags !== '[]',
      regranted: row.permissions !== null && row.permissions !== '[]',
      deduplicate: input.deduplicate === true,
      earlier: [],
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
      throw forbidden('Only its creator and admins decide who reaches this item.')
    }
    const row = changedRow(this.#planner, before, input)
    if (row.namespace !== before.namespace) this.#requirePlace(row.project_id, row.namespace, true)
    this.#requireMembers(row, input.permissions)
    if (row.custom_id !== null && keyOf(row) !== keyOf(before)) {
      const holder = this.#holder(row.project_id, row.namespace, row.custom_id)
      if (holder && holder.row.id !== row.id) throw customIdTaken()
    }
    const change = this.#changeOf(draft)
    // Only the text that `deduplicate` was asked for gives way to an equal one, not what it was changed to since.
    if (row.text !== before.text || row.namespace !== before.namespace) change.deduplicate = false
    if (row.text !== before.text) {
      change.reworded = true
      change.earlier.push({
        version: before.text_version,
        text: before.text,
        written_by: before.text_by,
        written_at: before.text_at,
      })
    }
    change.reembedded ||= row.vector_version === row.version
    change.retagged ||= row.tags !== before.tags
    change.regranted ||= row.permissions !== before.permissions
    change.events.push({ type: 'memory.updated', version: row.version })
    change.row = row
    draft.row = row
  }

  #delete(draft: Draft): Outcome {
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
      reworded: false,
      reembedded: false,
      retagged: false,
      regranted: false,
      deduplicate: false,
      earlier: [],
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

  #holder(projectId: string, namespace: string, customId: string): Draft | null {
    const key = keyOf({ project_id: projectId, namespace, custom_id: customId })
    for (const draft of this.#drafts.values()) {
      if (draft.row.custom_id !== null && keyOf(draft.row) === key) return draft
    }
    return null
  }

  #equal(projectId: string, namespace: string, text: string): Draft | null {
    for (const draft of this.#drafts.values()) {
      const { row } = draft
      if (draft.readable && row.text === text && row.project_id === projectId && row.namespace === namespace)
        return draft
    }
    return null
  }

  #requireWritable(draft: Draft, ifMatch: ReadonlySet<number> | null | undefined): void {
    if (!draft.writable) throw forbidden('You may read this memory item but not change it.')
    if (ifMatch && !ifMatch.has(draft.row.version)) {
      throw new AppError('precondition_failed', { detail: `The item is at version ${draft.row.version}.` })
    }
  }

  /** Whether the caller may write there: 404 (422 for a default project) where it is hidden, 403 where it is not his. */
  #requirePlace(projectId: string, namespace: string, named: boolean): void {
    const { principal } = this.#planner
    const role = this.#known.roles?.get(projectId)
    const hidden = this.#known.roles !== null && role === undefined && !this.#holdsItemsOf(projectId)
    if (hidden || !permits(principal, projectId, 'read')) {
      throw named
        ? notFound('project')
        : invalid('context.project_id', 'no_default_project', 'The default project is gone or barred: name another.')
    }
    if (!permits(principal, projectId, 'read', namespace)) throw notFound('namespace')
    if (role !== undefined && !ROLES_THAT.write.includes(role)) {
      throw forbidden('Your role in this project does not write memory.')
    }
    if (!permits(principal, projectId, 'write', namespace)) throw forbidden('This key may only read there.')
  }

  /** Roles are looked up for stores; an item that was found writable vouches for its project. */
  #holdsItemsOf(projectId: string): boolean {
    return [...this.#drafts.values()].some((draft) => draft.writable && draft.row.project_id === projectId)
  }

  #requireMembers(row: PlannedRow, permissions: { user_id: string }[] | undefined): void {
    permissions?.forEach(({ user_id }, index) => {
      if (this.#known.members.has(`${row.project_id} ${user_id}`)) return
      throw invalid(`permissions.${index}.user_id`, 'unknown_member', 'Only members of the project can be named.')
    })
  }

  #requireQuota(): void {
    const { quota } = this.#planner
    if (quota === null || this.#known.usage === null || this.#known.usage + this.#growth < quota) return
    throw new AppError('quota_exceeded', { detail: `This account holds its ${quota} memory items.` })
  }
}

const done = (status: 200 | 201, row: PlannedRow): Extract<Outcome, { kind: 'done' }> => ({
  kind: 'done',
  status,
  row,
  deduplicated: false,
})
