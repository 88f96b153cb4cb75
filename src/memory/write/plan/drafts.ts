import { notFound } from '../../../core/errors.ts'
import type { StoreInput } from '../../item.ts'
import { isRestored, movesWords, type Change } from './change.ts'
import { holderAmong } from './custom-ids.ts'
import { saysTheSame, type PlannedRow } from './planned-row.ts'
import type { Snapshot, SnapshotItem } from '../snapshot.ts'

/** An item as the operations so far have left it. */
export interface Draft extends SnapshotItem {
  change: Change | null
}

/** The items of a plan, and what it changes. */
export class Drafts {
  /** By item id. */
  readonly changes = new Map<string, Change>()
  readonly expired = new Set<string>()
  readonly #drafts = new Map<string, Draft>()

  constructor(snapshot: Snapshot) {
    for (const item of snapshot.items.values()) {
      if (item.expired) this.expired.add(item.row.id)
      else this.#drafts.set(item.row.id, { ...item, change: null })
    }
  }

  /** 404 for an item that is absent or that the caller may not read. */
  find(id: string): Draft {
    const draft = this.#drafts.get(id)
    if (!draft?.readable) throw notFound('memory item')
    return draft
  }

  rowOf = (id: string): PlannedRow | null => this.#drafts.get(id)?.row ?? null

  all = (): Iterable<Draft> => this.#drafts.values()

  holderOf(projectId: string, namespace: string, customId: string): Draft | null {
    return holderAmong(this.#drafts.values(), { project_id: projectId, namespace, custom_id: customId })
  }

  /** A current item that says what the store says. */
  withText(projectId: string, namespace: string, input: StoreInput): Draft | null {
    for (const draft of this.#drafts.values()) {
      const { readable, row } = draft
      if (readable && row.retired_at === null && saysTheSame(row, projectId, namespace, input)) return draft
    }
    return null
  }

  /** Items that the plan has retired for this successor. */
  supersededBy(id: string): Draft[] {
    return [...this.#drafts.values()].filter(({ row, change }) => change !== null && row.superseded_by === id)
  }

  /** The snapshot holds roles for stores only. For an update, a writable item shows that the caller reaches the project. */
  holdItemsOf(projectId: string): boolean {
    return [...this.#drafts.values()].some((draft) => draft.writable && draft.row.project_id === projectId)
  }

  add(change: Change): Draft {
    const { row, turn } = change
    const draft: Draft = { row, readable: true, writable: true, manageable: true, expired: false, turn, change }
    this.changes.set(row.id, change)
    this.#drafts.set(row.id, draft)
    return draft
  }

  remove(id: string): void {
    this.#drafts.delete(id)
  }

  changeOf(draft: Draft): Change {
    if (draft.change) return draft.change
    const change: Change = {
      row: draft.row,
      base: draft.row.version,
      wasRetired: draft.row.retired_at !== null,
      deleted: false,
      wordsChanged: false,
      toEmbed: false,
      metadataChanged: false,
      tagsChanged: false,
      grantsChanged: false,
      deduplicate: false,
      ttlChanged: false,
      keepsTimes: false,
      turn: null,
      earlierTexts: [],
      events: [],
    }
    draft.change = change
    this.changes.set(draft.row.id, change)
    return change
  }

  /** The next version of an item is this row. */
  take(draft: Draft, row: PlannedRow, { ttl }: Pick<StoreInput, 'ttl'>): void {
    const before = draft.row
    const change = this.changeOf(draft)
    // Only the text that came with `deduplicate` gives way to an equal one, not a later text of the same item.
    if (row.text !== before.text || row.namespace !== before.namespace) change.deduplicate = false
    if (row.text !== before.text) {
      change.earlierTexts.push({
        version: before.text_version,
        text: before.text,
        written_by: before.text_by,
        written_at: before.text_at,
        written_via: before.text_via,
      })
    }
    change.wordsChanged ||= movesWords(row, before)
    change.toEmbed ||= row.vector_version === row.version
    change.metadataChanged ||= row.metadata !== before.metadata
    change.tagsChanged ||= row.tags !== before.tags
    change.grantsChanged ||= row.permissions !== before.permissions
    const isBack = isRestored(row, before)
    change.ttlChanged ||= ttl !== undefined || isBack
    const event = { type: 'memory.updated', version: row.version } as const
    change.events.push(isBack ? { ...event, change: 'restored' } : event)
    change.row = row
    draft.row = row
  }
}
