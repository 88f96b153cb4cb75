import { PieceLists } from './pieces/piece-lists.ts'

/** Vectors of a page. */
export const PAGE_SLOTS = 64

/** The data that a slot holds beside its vector. */
export interface Slot {
  item: string
  row: number | null
  version: number
  chunk: number
  /** Offsets of the chunk; null in a slot that an older version of the service has stored. */
  start: number | null
  end: number | null
  namespace: string
}

/** Up to 64 vectors of one model side by side in memory, so that one call of the kernel compares them all. */
export interface Page {
  model: string
  dimension: number
  used: number
  /** Instant at which the newest vector was put. */
  newestAt: number
  vectors: Int8Array
  scales: Float32Array
  slots: (Slot | null)[]
  /** The mark of each slot's item. */
  marks: Uint16Array
  /** The distinct word pieces of each slot. */
  pieces: PieceLists
}

/** Marks of items: few items share one, and so few slots that two arrays of numbers tell where an item may have chunks. */
export const MARKS = 8_192

/** The mark of an item by its row, below `MARKS`; 0 where it is unknown. */
export const markOf = (row: number | null): number => (row === null ? 0 : 1 + (row % (MARKS - 1)))

/** Puts a chunk into a slot of a page, or takes it out (null). */
export function setSlot(page: Page, index: number, slot: Slot | null): void {
  page.slots[index] = slot
  page.marks[index] = slot === null ? 0 : markOf(slot.row)
}

export const emptyPage = (model: string, dimension: number): Page => ({
  model,
  dimension,
  used: 0,
  newestAt: 0,
  vectors: new Int8Array(PAGE_SLOTS * dimension),
  scales: new Float32Array(PAGE_SLOTS),
  slots: Array.from({ length: PAGE_SLOTS }, () => null),
  marks: new Uint16Array(PAGE_SLOTS),
  pieces: new PieceLists(PAGE_SLOTS),
})
