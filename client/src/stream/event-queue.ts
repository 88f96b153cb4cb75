/** The events that wait for the one loop over a stream. */
export class EventQueue<Item> {
  readonly #items: Item[] = []
  #wake: (() => void)[] = []
  #ended: { failure?: unknown } | null = null

  push(item: Item): void {
    this.#items.push(item)
    this.#changed()
  }

  /** The queued events are still handed out. Then the loop ends, or fails. */
  end(failure?: unknown): void {
    this.#ended ??= { failure }
    this.#changed()
  }

  /** The next item, which stays until `shift`; null at the end. */
  async next(): Promise<Item | null> {
    while (this.#items.length === 0) {
      if (this.#ended?.failure) throw this.#ended.failure
      if (this.#ended) return null
      await this.#change()
    }
    return this.#items[0] ?? null
  }

  /** Each item stays until `shift`, which the loop calls. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    for (let item = await this.next(); item; item = await this.next()) yield item
  }

  /** The first item is handled. */
  shift(): void {
    this.#items.shift()
    this.#changed()
  }

  /** Once all is handled. */
  async drained(): Promise<void> {
    while (this.#items.length > 0 && !this.#ended) await this.#change()
  }

  get isEmpty(): boolean {
    return this.#items.length === 0
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve))
  }

  #changed(): void {
    const wake = this.#wake
    this.#wake = []
    for (const each of wake) each()
  }
}
