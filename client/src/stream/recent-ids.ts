/** The ids of the latest events, to drop repeats of at-least-once delivery. Holds at most `max` ids. */
export class RecentIds {
  readonly #ids = new Set<string>()
  readonly #max: number
  #newest = ''

  constructor(max = 4_000) {
    this.#max = max
  }

  /** True if the id is new. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false
    this.#ids.add(id)
    const [oldest] = this.#ids
    if (this.#ids.size > this.#max && oldest !== undefined) this.#ids.delete(oldest)
    return true
  }

  /** True unless a newer id was asked about before. Ids sort by time. */
  isNewest(id: string): boolean {
    if (id < this.#newest) return false
    this.#newest = id
    return true
  }
}
