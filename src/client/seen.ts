/** The ids of the latest events, so that a repeat of at-least-once delivery is dropped. Bounded. */
export class SeenIds {
  readonly #ids = new Set<string>()
  readonly #max: number

  constructor(max = 4_000) {
    this.#max = max
  }

  /** True the first time. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false
    this.#ids.add(id)
    const [oldest] = this.#ids
    if (this.#ids.size > this.#max && oldest !== undefined) this.#ids.delete(oldest)
    return true
  }
}
