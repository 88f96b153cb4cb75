import type { ExactQuery } from '../../core/vectors.ts'
import { dotProducts } from './dot-products.ts'
import { classesOf, countsOf, MARKS, markOf, PAGE_SLOTS, type Page, type PartClass, type Slot } from './page.ts'
import type { ClassCounts } from './pieces/class-counts.ts'
import type { PieceList } from './pieces/piece-lists.ts'
import { quantize, type Int8Vector } from './quantize.ts'

/** An item that is near a query, by its best chunk. */
export interface Near {
  slot: Slot
  /** Cosine. */
  similarity: number
  /** The cosine less the charge of a long turn. The best items are chosen by it. */
  charged: number
}

/** What the nearest items depend on, besides the vector of the query. Long turns are charged if it has pieces. */
type NearestQuery = Pick<ExactQuery, 'limit' | 'namespaces' | 'reader' | 'others' | 'floor'> &
  Partial<Pick<ExactQuery, 'pieces'>>

/** A page that was scanned, with the cosine of each of its slots; NaN: not compared. */
interface Scanned {
  page: Page
  similarities: Float64Array
  /** The cosines less the charges: the same array where the page has none. */
  charged: Float64Array
}

/** How a query uses the parts of a class. Those that only others may read count in no rarity. */
type Use = 'none' | 'compared' | 'counted'

/** A chunk of an item, by its pieces. */
interface ChunkOfItem extends PieceList {
  /** Place of the item. */
  nth: number
}

/** Steps of the cosines from -1 to 1. The vectors of each are counted. */
const STEPS = 1_024

/** Of one call each, and made once: new arrays of this size would take every search longer than their use. */
const counts = new Uint32Array(STEPS + 1)
const marked = new Uint8Array(MARKS)

/** Hits are told with four decimals, so one that reaches the floor when rounded is one. */
const ROUNDING = 0.5e-4

/** Finds the `limit` items nearest to a query in the pages that it scans, each item with its best chunk. */
export class NearestItems {
  readonly #query: Int8Vector
  readonly #limit: number
  readonly #useOf: (part: PartClass) => Use
  readonly #least: number
  readonly #isCharged: boolean
  readonly #scanned: Scanned[] = []
  /** Vectors that are compared. */
  #vectors = 0
  /** The greatest charge in a page that was scanned. */
  #mostCharged = 0

  constructor(query: Float32Array, { limit, floor, pieces = null, ...of }: NearestQuery) {
    this.#query = quantize(query)
    this.#limit = limit
    this.#useOf = useOf(of)
    this.#least = (floor ?? -Infinity) - ROUNDING
    // Without pieces the semantic score is a cosine whose scale may be unknown.
    this.#isCharged = pieces !== null
  }

  /** Scans a page, or only these of its slots. */
  scan(page: Page, slots?: readonly number[]): void {
    const { bytes, scale } = this.#query
    if (page.dimension !== bytes.length) return
    const { all, of } = classesOf(page)
    const unused = all.map((part) => this.#useOf(part) === 'none')
    if (!unused.includes(false)) return
    const products = dotProducts(bytes, page.vectors)
    const similarities = new Float64Array(PAGE_SLOTS)
    for (let index = 0; index < PAGE_SLOTS; index++) {
      similarities[index] = (products[index] ?? 0) * scale * (page.scales[index] ?? 0)
    }
    let compared = PAGE_SLOTS
    if (page.used < PAGE_SLOTS || slots || unused.includes(true)) {
      for (let index = 0; index < PAGE_SLOTS; index++) {
        const part = of[index] ?? 0
        if (part > 0 && !unused[part - 1] && slots?.includes(index) !== false) continue
        similarities[index] = NaN
        compared -= 1
      }
    }
    const charged = this.#isCharged && page.charges ? this.#charge(similarities, page.charges) : similarities
    this.#scanned.push({ page, similarities, charged })
    this.#vectors += compared
  }

  /** The pieces of the parts that count in a rarity, of the pages that were scanned. */
  *counted(): Generator<ClassCounts> {
    for (const { page } of this.#scanned) {
      for (const [nth, part] of classesOf(page).all.entries()) {
        if (this.#useOf(part) === 'counted') yield countsOf(page, nth)
      }
    }
  }

  /** Best first, by the cosine less the charge. Items of equal rank go by id. */
  best(): Near[] {
    let vectors = this.#limit
    let from = this.#chargedOf(vectors)
    let items = this.#itemsFrom(from)
    // Several chunks are of one item: then a lower cosine belongs to the best as well.
    while (items.length < this.#limit && from > this.#leastCharged) {
      from = this.#chargedOf((vectors *= 2))
      items = this.#itemsFrom(from)
    }
    return items.sort((a, b) => b.charged - a.charged || (a.slot.item < b.slot.item ? -1 : 1)).slice(0, this.#limit)
  }

  /** All chunks of these items in the pages that were scanned, each with the place of its item among them. */
  chunksOf(items: readonly Near[]): ChunkOfItem[] {
    const places = new Map<string, number>()
    marked.fill(0)
    items.forEach(({ slot }, nth) => {
      places.set(slot.item, nth)
      marked[markOf(slot.row)] = 1
    })
    const chunks: ChunkOfItem[] = []
    for (const { page } of this.#scanned) {
      const { marks, slots, pieces } = page
      for (let index = 0; index < PAGE_SLOTS; index++) {
        if (marked[marks[index] ?? 0] === 0) continue
        const slot = slots[index]
        const nth = slot ? places.get(slot.item) : undefined
        if (nth !== undefined) chunks.push({ nth, lists: pieces, list: index })
      }
    }
    return chunks
  }

  /** The cosines of a page, less its charges. */
  #charge(similarities: Float64Array, charges: Float32Array): Float64Array {
    const charged = new Float64Array(PAGE_SLOTS)
    for (let index = 0; index < PAGE_SLOTS; index++) {
      const charge = charges[index] ?? 0
      charged[index] = (similarities[index] ?? NaN) - charge
      if (charge > this.#mostCharged) this.#mostCharged = charge
    }
    return charged
  }

  /** No cosine that reaches the floor is less than this after its charge. */
  get #leastCharged(): number {
    return this.#least - this.#mostCharged
  }

  /** A charged cosine that at least so many of the vectors reach, and hardly more; never below `#leastCharged`. */
  #chargedOf(vectors: number): number {
    const least = this.#leastCharged
    if (this.#vectors <= vectors) return least
    counts.fill(0)
    for (const { similarities, charged } of this.#scanned) {
      for (let index = 0; index < PAGE_SLOTS; index++) {
        // What is below the floor becomes no item, so it would only make the search go on.
        if (!((similarities[index] ?? NaN) >= this.#least)) continue
        const step = ((charged[index] ?? NaN) + 1) * (STEPS / 2)
        // Rounded or charged, a cosine may be outside.
        if (!(step >= 0)) continue
        const whole = Math.min(STEPS, Math.floor(step))
        counts[whole] = (counts[whole] ?? 0) + 1
      }
    }
    let reached = 0
    for (let step = STEPS; step > 0; step--) {
      reached += counts[step] ?? 0
      if (reached >= vectors) return Math.max(least, (2 * step) / STEPS - 1)
    }
    return least
  }

  /** The items with a chunk of at least this charged cosine that reaches the floor, each with its best. */
  #itemsFrom(from: number): Near[] {
    const byItem = new Map<string, Near>()
    for (const { page, similarities, charged: ofPage } of this.#scanned) {
      for (let index = 0; index < PAGE_SLOTS; index++) {
        const charged = ofPage[index] ?? NaN
        if (!(charged >= from)) continue
        const similarity = similarities[index] ?? NaN
        const slot = page.slots[index]
        if (!slot || similarity < this.#least) continue
        const best = byItem.get(slot.item)
        if (!best || charged > best.charged) byItem.set(slot.item, { slot, similarity, charged })
      }
    }
    return [...byItem.values()]
  }
}

const useOf =
  ({ namespaces, reader = null, others = false }: Pick<ExactQuery, 'namespaces' | 'reader' | 'others'>) =>
  (part: PartClass): Use => {
    if (namespaces !== null && !namespaces.includes(part.namespace)) return 'none'
    if (reader === null) return 'compared'
    if (part.reader === '' || part.reader === reader) return 'counted'
    return others ? 'compared' : 'none'
  }
