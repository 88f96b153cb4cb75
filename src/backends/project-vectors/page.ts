/** Vectors of a page. */
export const PAGE_SLOTS = 64

export interface Slot {
  item: string
  row: number | null
  version: number
  chunk: number
  namespace: string
}

/** Vectors of one model, side by side. */
export interface Page {
  model: string
  dimension: number
  used: number
  /** Instant of the youngest vector. */
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
