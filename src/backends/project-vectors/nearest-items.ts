import type { VectorHit } from '../../core/ports.ts'
import { dotProducts } from './dot-products.ts'
import { PAGE_SLOTS, type Page } from './page.ts'
import { quantize, type Int8Vector } from './quantize.ts'

/** Collects the `limit` items nearest to a query from the pages that it scans, each item with its best chunk. */
export class NearestItems {
  readonly #query: Int8Vector
  readonly #limit: number
  /** The best hits so far: up to twice the limit. */
  #byItem = new Map<string, VectorHit>()
  /** As many items as wanted reach this similarity, so lower ones are skipped. */
  #floor = -Infinity

  constructor(query: Float32Array, limit: number) {
    this.#query = quantize(query)
    this.#limit = limit
  }

  /** Scans a page, or only its vectors of these namespaces. */
  scan(page: Page, namespaces: readonly string[] | null): void {
    const { bytes } = this.#query
    if (page.dimension !== bytes.length) return
    const products = dotProducts(bytes, page.vectors)
    for (let index = 0; index < PAGE_SLOTS; index++) this.#add(page, index, products[index] ?? 0, namespaces)
  }

  scanSlot(page: Page, index: number): void {
    const { bytes } = this.#query
    if (page.dimension !== bytes.length) return
    const vector = page.vectors.subarray(index * page.dimension, (index + 1) * page.dimension)
    const [product = 0] = dotProducts(bytes, vector)
    this.#add(page, index, product, null)
  }

  /** Best first, with cosines rounded to four places. */
  hits(): VectorHit[] {
    return this.#best().map((hit) => ({ ...hit, similarity: Math.round(hit.similarity * 1e4) / 1e4 }))
  }

  #add(page: Page, index: number, product: number, namespaces: readonly string[] | null): void {
    const similarity = product * this.#query.scale * (page.scales[index] ?? 0)
    const slot = page.slots[index]
    if (!slot || similarity < this.#floor) return
    const { item, row, version, chunk, namespace } = slot
    if (namespaces !== null && !namespaces.includes(namespace)) return
    const before = this.#byItem.get(item)
    if (before && before.similarity >= similarity) return
    this.#byItem.set(item, { item, ...(row === null ? {} : { row }), version, chunk, similarity })
    if (this.#byItem.size >= 2 * this.#limit) this.#trim()
  }

  /** Drops all items but the best. A better chunk of a dropped item brings it back. */
  #trim(): void {
    const best = this.#best()
    this.#byItem = new Map(best.map((hit) => [hit.item, hit]))
    this.#floor = best.at(-1)?.similarity ?? Infinity
  }

  /** Items of equal similarity go by id. */
  #best(): VectorHit[] {
    return [...this.#byItem.values()]
      .sort((a, b) => b.similarity - a.similarity || (a.item < b.item ? -1 : 1))
      .slice(0, this.#limit)
  }
}
