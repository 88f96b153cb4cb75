/** Vectors of a page. */
export const PAGE_SLOTS = 64

/** What a slot says of its vector. */
export interface Slot {
  item: string
  row: number | null
  version: number
  chunk: number
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
}

export const emptyPage = (model: string, dimension: number): Page => ({
  model,
  dimension,
  used: 0,
  newestAt: 0,
  vectors: new Int8Array(PAGE_SLOTS * dimension),
  scales: new Float32Array(PAGE_SLOTS),
  slots: Array.from({ length: PAGE_SLOTS }, () => null),
})
