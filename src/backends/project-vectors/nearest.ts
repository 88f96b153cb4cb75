import type { VectorHit } from '../../core/ports.ts'
import { dots } from './dots.ts'
import { quantize, type Int8Vector } from './int8.ts'
import { PAGE_SLOTS, type Page } from './page.ts'

/** The items nearest to a query among the vectors it is shown, each by its best chunk. */
export class Nearest {
  readonly #query: Int8Vector
  readonly #limit: number
  /** The best so far, up to twice as many as are wanted. */
  #byItem = new Map<string, VectorHit>()
  /** As many items as are wanted are at least as near as this: what is farther is passed over. */
  #floor = -Infinity

  constructor(query: Float32Array, limit: number) {
    this.#query = quantize(query)
    this.#limit = limit
  }

  /** Looks at a whole page, or at what it has of these namespaces. */
  lookAt(page: Page, namespaces: readonly string[] | null): void {
    const { bytes } = this.#query
    if (page.dimension !== bytes.length) return
    const products = dots(bytes, page.vectors)
    for (let place = 0; place < PAGE_SLOTS; place++) this.#weigh(page, place, products[place] ?? 0, namespaces)
  }

  lookAtSlot(page: Page, place: number): void {
    const { bytes } = this.#query
    if (page.dimension !== bytes.length) return
    const [product = 0] = dots(bytes, page.vectors.subarray(place * page.dimension, (place + 1) * page.dimension))
    this.#weigh(page, place, product, null)
  }

  /** Best first, cosines to four places. */
  hits(): VectorHit[] {
    return this.#best().map((hit) => ({ ...hit, similarity: Math.round(hit.similarity * 1e4) / 1e4 }))
  }

  #weigh(page: Page, place: number, product: number, namespaces: readonly string[] | null): void {
    const similarity = product * this.#query.scale * (page.scales[place] ?? 0)
    const slot = page.slots[place]
    if (!slot || similarity < this.#floor) return
    const { item, row, version, chunk, namespace } = slot
    if (namespaces !== null && !namespaces.includes(namespace)) return
    const before = this.#byItem.get(item)
    if (before && before.similarity >= similarity) return
    this.#byItem.set(item, { item, ...(row === null ? {} : { row }), version, chunk, similarity })
    if (this.#byItem.size >= 2 * this.#limit) this.#forget()
  }

  /** Forgets the items that others have beaten: a better chunk brings one back. */
  #forget(): void {
    const best = this.#best()
    this.#byItem = new Map(best.map((hit) => [hit.item, hit]))
    this.#floor = best.at(-1)?.similarity ?? Infinity
  }

  /** Equally near ones by id. */
  #best(): VectorHit[] {
    return [...this.#byItem.values()]
      .sort((a, b) => b.similarity - a.similarity || (a.item < b.item ? -1 : 1))
      .slice(0, this.#limit)
  }
}
