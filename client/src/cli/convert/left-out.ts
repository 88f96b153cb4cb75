/** The places that are named of a reason: a large export has more than anybody reads. */
const MAX_PLACES = 100

interface Counted {
  reason: string
  count: number
  /** How many places have it. */
  places: number
  /** The first of them. */
  from: string[]
}

/** What was left out of which there may be much: counted by reason, with the first places by name. */
export class LeftOutByReason {
  readonly #reasons = new Map<string, Counted>()

  add(reason: string, from: string, count: number): void {
    const counted = this.#reasons.get(reason) ?? { reason, count: 0, places: 0, from: [] }
    counted.count += count
    counted.places += 1
    if (counted.from.length < MAX_PLACES) counted.from.push(from)
    this.#reasons.set(reason, counted)
  }

  /** The most frequent one first. */
  list(): Counted[] {
    return [...this.#reasons.values()].sort((a, b) => b.count - a.count)
  }
}
