import { chargeOf } from '../../core/values/long-turns.ts'
import { countClass, type ClassCounts } from './pieces/class-counts.ts'
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
  /** As in `VectorEntry`; null in a slot that an older version of the service has stored. */
  reader: string | null
  /** As in `VectorEntry`; null in a slot that an older version of the service has stored. */
  turnWords: number | null
}

/** What decides whether a search compares a part. */
export type PartClass = Pick<Slot, 'namespace' | 'reader'>

/** The classes of the parts of a page. */
export interface PageClasses {
  all: readonly PartClass[]
  /** Of each slot its class, from 1; 0: empty. */
  of: Uint8Array
  /** The pieces of each class, as far as a search has asked for them. */
  counts: (ClassCounts | undefined)[]
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
  /** What each slot is charged (`core/values/long-turns.ts`); null: none has been charged yet. */
  charges: Float32Array | null
  /** null: a slot has changed since. */
  classes: PageClasses | null
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
  page.classes = null
  const charge = chargeOf(slot?.turnWords ?? 0)
  if (charge > 0 || page.charges) (page.charges ??= new Float32Array(PAGE_SLOTS))[index] = charge
}

/** The classes of the parts of a page: few, so a search compares texts once for each, and not for each part. */
export const classesOf = (page: Page): PageClasses => (page.classes ??= readClasses(page.slots))

/** How many parts of a class of the page contain each piece. */
export function countsOf(page: Page, nth: number): ClassCounts {
  const { of, counts } = classesOf(page)
  return (counts[nth] ??= countClass(page.pieces, (slot) => of[slot] === nth + 1))
}

function readClasses(slots: Page['slots']): PageClasses {
  const all: PartClass[] = []
  const of = Uint8Array.from(slots, (slot) => {
    if (!slot) return 0
    const { namespace, reader } = slot
    const known = all.findIndex((one) => one.namespace === namespace && one.reader === reader)
    return known < 0 ? all.push({ namespace, reader }) : known + 1
  })
  return { all, of, counts: [] }
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
  charges: null,
  classes: null,
  pieces: new PieceLists(PAGE_SLOTS),
})
