import type { ExactQuery, VectorHit } from '../../core/vectors.ts'
import { NearestItems } from './nearest-items.ts'
import { pageBytes } from './page-cache.ts'
import { emptyPage, setSlot, type Page, type Slot } from './page.ts'
import type { PieceTable } from './pieces/asked-pieces.ts'
import { rankHits } from './rank-hits.ts'

/** Vectors of a project that may be copied, as bytes: 2,048 of the embedded model. Slots and pieces take up to 1 MiB beside them. */
export const MAX_COPIED_BYTES = 512 * 1024

/** A copy without vectors takes memory too. */
const LEAST_BYTES = 2_048

/** A page on its way out of the object. */
export interface SentPage extends Pick<Page, 'dimension' | 'used' | 'vectors' | 'scales' | 'slots'> {
  /** The pieces of all slots, one slot behind the other, and how many each slot has. */
  pieces: Uint16Array
  lengths: number[]
}

export const sentPage = ({ dimension, used, vectors, scales, slots, pieces }: Page): SentPage => ({
  dimension,
  used,
  vectors,
  scales,
  slots,
  pieces: pieces.all,
  lengths: slots.map((_, index) => pieces.of(index).length),
})

function receivedPage(model: string, { dimension, used, vectors, scales, slots, pieces, lengths }: SentPage): Page {
  const page = { ...emptyPage(model, 0), dimension, used, vectors, scales }
  slots.forEach((slot: Slot | null, index) => setSlot(page, index, slot))
  page.pieces.setAll(pieces, [...lengths.keys()], lengths)
  return page
}

/** All vectors of a small project and one model, outside of its object. It answers a query as the object does. */
export class VectorCopy {
  readonly model: string
  readonly count: number
  readonly bytes: number
  readonly #pages: Page[]

  constructor(model: string, sent: readonly SentPage[]) {
    this.model = model
    this.#pages = sent.map((page) => receivedPage(model, page))
    this.count = this.#pages.reduce((sum, { used }) => sum + used, 0)
    this.bytes = this.#pages.reduce((sum, page) => sum + pageBytes(page), LEAST_BYTES)
  }

  query(query: ExactQuery, table: PieceTable | null): VectorHit[] {
    const nearest = new NearestItems(query.vector, query)
    for (const page of this.#pages) nearest.scan(page)
    const { pieces } = query
    return rankHits(nearest, table && pieces && { table, pieces, counts: true })
  }
}
