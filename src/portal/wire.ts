/** One page of a list (contract §1). */
export interface Page<T> {
  data: T[]
  has_more: boolean
  next_cursor: string | null
}
