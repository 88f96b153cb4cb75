/** A line of an export: an item, which has more fields than these. */
export interface ExportedItem {
  id: string
  created_at: string
}

/** The progress of an export, which goes from the oldest item to the newest. */
export class Position {
  items = 0
  bytes = 0
  /** The instant of the last item, and the items of that instant. */
  #instant: string | null = null
  readonly #ids = new Set<string>()

  /** `created_after` of the call that goes on here: it takes later items, so it names the millisecond before. */
  get after(): string | null {
    return this.#instant === null ? null : new Date(Date.parse(this.#instant) - 1).toISOString()
  }

  has({ id, created_at }: ExportedItem): boolean {
    return created_at === this.#instant && this.#ids.has(id)
  }

  /** Goes behind an item, whose line has `bytes` with its end. */
  pass({ id, created_at }: ExportedItem, bytes: number): void {
    if (created_at !== this.#instant) this.#ids.clear()
    this.#instant = created_at
    this.#ids.add(id)
    this.items += 1
    this.bytes += bytes
  }
}
