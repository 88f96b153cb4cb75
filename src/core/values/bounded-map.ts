/**
 * A map that drops its oldest entry past a number of entries. `set` makes an entry the newest, so a reader who sets what it
 * has read drops the least recently used one.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #mostEntries: number

  constructor(mostEntries: number) {
    super()
    this.#mostEntries = mostEntries
  }

  override set(key: Key, value: Value): this {
    this.delete(key)
    super.set(key, value)
    if (this.size > this.#mostEntries) {
      for (const oldest of this.keys()) {
        this.delete(oldest)
        break
      }
    }
    return this
  }

  /** The value of a key, which is made where the map does not have it. A value is never undefined. */
  getOrMake(key: Key, make: (key: Key) => Value & ({} | null)): Value {
    const known = this.get(key)
    if (known !== undefined) return known
    const made = make(key)
    this.set(key, made)
    return made
  }
}
