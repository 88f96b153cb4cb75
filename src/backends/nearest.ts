import type { VectorHit } from '../core/ports.ts'
import { dot, quantize, type Int8Vector } from './int8.ts'
import { PAGE_SLOTS, type Page } from './page.ts'

/** The items nearest to a query among the vectors it is shown, each by its best chunk; sorted once, at the end. */
export class Nearest {
  readonly #query: Int8Vector
  readonly #byItem = new Map<string, VectorHit>()

  constructor(query: Float32Array) {
    this.#query = quantize(query)
  }

  /** Looks at a whole page, or at what it has of these namespaces. */
  lookAt(page: Page, namespaces: readonly string[] | null): void {
    for (let place = 0; place < PAGE_SLOTS; place++) {
      const slot = page.slots[place]
      if (slot && (namespaces === null || namespaces.includes(slot.namespace))) this.lookAtSlot(page, place)
    }
  }

  lookAtSlot(page: Page, place: number): void {
    const slot = page.slots[place]
    const { bytes, scale } = this.#query
    if (!slot || page.dimension !== bytes.length) return
    const similarity = dot(bytes, page.vectors, place * page.dimension) * scale * (page.scales[place] ?? 0)
    const { item, version, chunk } = slot
    const before = this.#byItem.get(item)
    if (!before || before.similarity < similarity) this.#byItem.set(item, { item, version, chunk, similarity })
  }

  /** Best first, cosines to four places. */
  hits(limit: number): VectorHit[] {
    return [...this.#byItem.values()]
      .sort((a, b) => b.similarity - a.similarity || (a.item < b.item ? -1 : 1))
      .slice(0, limit)
      .map((hit) => ({ ...hit, similarity: Math.round(hit.similarity * 1e4) / 1e4 }))
  }
}
