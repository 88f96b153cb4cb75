import { dotProducts } from './dot-products.ts'
import { MARKS, markOf, PAGE_SLOTS, type Page, type Slot } from './page.ts'
import { quantize, type Int8Vector } from './quantize.ts'

/** An item that is near a query, by its best chunk. */
export interface Near {
  slot: Slot
  /** Cosine. */
  similarity: number
}

/** Collects the `limit` items nearest to a query from the pages that it scans, each item with its best chunk. */
export class NearestItems {
  readonly #query: Int8Vector
  readonly #limit: number
  /** The best so far: up to twice the limit. */
  #byItem = new Map<string, Near>()
  /** As many items as wanted reach this similarity, so lower ones are skipped. */
  #floor = -Infinity
  readonly #scanned = new Set<Page>()

  constructor(query: Float32Array, limit: number) {
    this.#query = quantize(query)
    this.#limit = limit
  }

  /** Scans a page, or only its vectors of these namespaces. */
  scan(page: Page, namespaces: readonly string[] | null): void {
    const { bytes } = this.#query
    if (page.dimension !== bytes.length) return
    this.#scanned.add(page)
    const products = dotProducts(bytes, page.vectors)
    for (let index = 0; index < PAGE_SLOTS; index++) this.#add(page, index, products[index] ?? 0, namespaces)
  }

  scanSlot(page: Page, index: number, namespaces: readonly string[] | null): void {
    const { bytes } = this.#query
    if (page.dimension !== bytes.length) return
    this.#scanned.add(page)
    const vector = page.vectors.subarray(index * page.dimension, (index + 1) * page.dimension)
    const [product = 0] = dotProducts(bytes, vector)
    this.#add(page, index, product, namespaces)
  }

  /** Best first. Items of equal similarity go by id. */
  best(): Near[] {
    return [...this.#byItem.values()]
      .sort((a, b) => b.similarity - a.similarity || (a.slot.item < b.slot.item ? -1 : 1))
      .slice(0, this.#limit)
  }

  /** All chunks of these items in the pages that were scanned, each with the place of its item among them. */
  chunksOf(items: readonly Near[]): { nth: number; page: Page; index: number }[] {
    const places = new Map(items.map(({ slot }, nth) => [slot.item, nth]))
    const marked = new Uint8Array(MARKS)
    for (const { slot } of items) marked[markOf(slot.row)] = 1
    const chunks: { nth: number; page: Page; index: number }[] = []
    for (const page of this.#scanned) {
      const { marks, slots } = page
      for (let index = 0; index < PAGE_SLOTS; index++) {
        if (marked[marks[index] ?? 0] === 0) continue
        const slot = slots[index]
        const nth = slot ? places.get(slot.item) : undefined
        if (nth !== undefined) chunks.push({ nth, page, index })
      }
    }
    return chunks
  }

  #add(page: Page, index: number, product: number, namespaces: readonly string[] | null): void {
    const similarity = product * this.#query.scale * (page.scales[index] ?? 0)
    if (similarity < this.#floor) return
    const slot = page.slots[index]
    if (!slot || (namespaces !== null && !namespaces.includes(slot.namespace))) return
    const before = this.#byItem.get(slot.item)
    if (before && before.similarity >= similarity) return
    this.#byItem.set(slot.item, { slot, similarity })
    if (this.#byItem.size >= 2 * this.#limit) this.#trim()
  }

  /** Drops all items but the best. A better chunk of a dropped item brings it back. */
  #trim(): void {
    const best = this.best()
    this.#byItem = new Map(best.map((near) => [near.slot.item, near]))
    this.#floor = best.at(-1)?.similarity ?? Infinity
  }
}
