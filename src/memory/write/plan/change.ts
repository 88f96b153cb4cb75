import type { memory_versions } from '../table.ts'
import type { OperationResult } from '../operation.ts'
import type { PlannedRow } from './planned-row.ts'

/** What identifies a turn, and the version of its conversation that it was planned on; null: any. */
export interface PlannedTurn {
  key: string
  part: number
  newAt: number | null
}

/** A text that a change replaced. */
export type EarlierText = Pick<
  typeof memory_versions.$inferSelect,
  'version' | 'text' | 'written_by' | 'written_at' | 'written_via'
>

/** The sum of all operations on one item: one row to insert, to update or to delete. */
export interface Change {
  row: PlannedRow
  /** The version in the database that the change builds on; 0 for a new item. */
  base: number
  /** The item that the plan read was retired. */
  wasRetired: boolean
  deleted: boolean
  /** The text or the date is new, or who may read them, or the item is current again, so the words of both are filed again. */
  wordsChanged: boolean
  /** The text or the namespace is new, so it gets new vectors. */
  toEmbed: boolean
  metadataChanged: boolean
  tagsChanged: boolean
  grantsChanged: boolean
  /** The item is new and gives way to an equal text that another request has committed since. */
  deduplicate: boolean
  /** The change names a ttl, which the rules of the project bound. */
  ttlChanged: boolean
  /** The item is new and says itself when it was stored. */
  keepsTimes: boolean
  /** The item is new and a turn. */
  turn: PlannedTurn | null
  earlierTexts: EarlierText[]
  events: PlannedEvent[]
}

interface PlannedEvent {
  type: 'memory.created' | 'memory.updated' | 'memory.deleted'
  version: number
  change?: 'retired' | 'restored'
  superseded_by?: string | null
}

/** Of a new item. */
export const newChange = (row: PlannedRow, turn: PlannedTurn | null): Change => ({
  row,
  base: 0,
  wasRetired: false,
  deleted: false,
  wordsChanged: true,
  toEmbed: true,
  metadataChanged: true,
  tagsChanged: row.tags !== '[]',
  grantsChanged: row.permissions !== null && row.permissions !== '[]',
  deduplicate: false,
  ttlChanged: false,
  keepsTimes: false,
  turn,
  earlierTexts: [],
  events: [{ type: 'memory.created', version: row.version }],
})

/** Between the two rows of an item its words change, or the class in which the index files them. */
export const movesWords = (row: PlannedRow, before: PlannedRow): boolean =>
  isRestored(row, before) ||
  row.text !== before.text ||
  row.occurred_at !== before.occurred_at ||
  row.namespace !== before.namespace ||
  row.visibility !== before.visibility

export const isRestored = (row: PlannedRow, before: PlannedRow): boolean =>
  row.retired_at === null && before.retired_at !== null

export interface Plan {
  /** One for each operation, in order. */
  results: OperationResult[]
  /** By item id. */
  changes: Map<string, Change>
  /** Expired items whose `custom_id` a new item takes. */
  expired: string[]
  /** Items that release their `custom_id` before any item is updated. */
  released: string[]
  /**
   * Versions of items that supersede others and that the plan does not change, by id. The commit stamps them, so that they are
   * there as it found them.
   */
  successors: ReadonlyMap<string, number>
  /** Commits whole or not at all. */
  isWhole: boolean
}
