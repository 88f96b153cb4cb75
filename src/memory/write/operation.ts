import type { AppError } from '../../core/errors.ts'
import type { ItemRecord, ItemRow, StoreInput, UpdateInput } from '../item.ts'

/** What a caller may do to one item; every writing verb is a list of these (one, or up to 50 in a batch). */
export type Operation =
  | { op: 'store'; input: StoreInput }
  | { op: 'update'; id: string; input: UpdateInput; ifMatch?: ReadonlySet<number> | null }
  | { op: 'delete'; id: string; ifMatch?: ReadonlySet<number> | null }
  | { op: 'retrieve'; id: string }

/** An item as the planner knows and changes it: what goes on the wire, and what its next version is made from. */
export type PlannedRow = ItemRow &
  Pick<ItemRecord, 'text_hash' | 'text_version' | 'text_by' | 'text_at' | 'vector_version' | 'updated_by'>

export type Outcome =
  | { kind: 'done'; status: 200 | 201; row: PlannedRow; deduplicated: boolean }
  | { kind: 'deleted'; row: PlannedRow }
  | { kind: 'refused'; error: AppError; row: PlannedRow | null }

/** The text that a change replaced, for `memory_versions`. */
export interface EarlierText {
  version: number
  text: string
  written_by: string
  written_at: number
}

/** What the operations on one item come to: one row to insert or to update, however many operations there were. */
export interface Change {
  row: PlannedRow
  /** Version in the database that the change builds on; 0: a new item. */
  base: number
  deleted: boolean
  /** The text is new: its words go into the index. */
  reworded: boolean
  /** Text or namespace is new: its vectors are made anew. */
  reembedded: boolean
  retagged: boolean
  regranted: boolean
  /** A new item that gives way to an equal text which was committed meanwhile. */
  deduplicate: boolean
  earlier: EarlierText[]
  events: { type: 'memory.created' | 'memory.updated' | 'memory.deleted'; version: number }[]
}

export interface Plan {
  /** One for each operation, in order. */
  outcomes: Outcome[]
  /** By item id. */
  changes: Map<string, Change>
  /** Expired items whose `custom_id` a new item takes. */
  expired: string[]
  /** Items that let go of their `custom_id` before any other is updated; with one, the plan is whole or nothing. */
  released: string[]
}
