import type { MemoryBudget } from '../memory-budget.ts'
import type { PageStore } from '../page-store.ts'
import { PAGE_SLOTS } from '../page.ts'

/**
 * Pages whose parts are counted: the first ones of a model. Up to 32,768 parts every part counts. In a larger project they
 * are a sample, which gives rarities as well.
 */
export const MAX_COUNTED_PAGES = 512

/** How many of the counted parts contain each word piece. Parts without pieces do not count. */
export class PieceCounts {
  /** 16 bits suffice for the parts of 512 pages. */
  #counts = new Uint16Array(0)
  readonly #pages = new Set<number>()
  #parts = 0

  get parts(): number {
    return this.#parts
  }

  get byteLength(): number {
    return this.#counts.byteLength
  }

  of(piece: number): number {
    return this.#counts[piece] ?? 0
  }

  /** Whether the parts of this page count. A page that is new counts unless enough pages do. */
  includes(page: number): boolean {
    if (this.#pages.size < MAX_COUNTED_PAGES) this.#pages.add(page)
    return this.#pages.has(page)
  }

  /** `pieces`: the distinct ones of each of `parts` parts, behind one another. */
  add(pieces: Uint16Array, parts: number): void {
    this.#count(pieces, 1)
    this.#parts += parts
  }

  remove(pieces: Uint16Array, parts: number): void {
    this.#count(pieces, -1)
    this.#parts -= parts
  }

  #count(pieces: Uint16Array, by: 1 | -1): void {
    for (let at = 0; at < pieces.length; at++) {
      const piece = pieces[at] ?? 0
      if (piece >= this.#counts.length) this.#grow(piece)
      this.#counts[piece] = (this.#counts[piece] ?? 0) + by
    }
  }

  #grow(piece: number): void {
    const counts = new Uint16Array((piece | 1_023) + 1)
    counts.set(this.#counts)
    this.#counts = counts
  }
}

const PIECES_OF_PAGE = `
  select coalesce(sum(length), 0) as parts, cast(group_concat(cast(pieces as text), '') as blob) as pieces
  from runs where slot >= ? and slot < ? and pieces is not null`

/** The counts of one object by model: in memory alone, made when they are first needed, then kept up with each change. */
export class PieceCountsOfObject {
  readonly #sql: SqlStorage
  readonly #store: PageStore
  readonly #budget: MemoryBudget
  readonly #byModel = new Map<string, PieceCounts>()

  constructor(sql: SqlStorage, store: PageStore, budget: MemoryBudget) {
    this.#sql = sql
    this.#store = store
    this.#budget = budget
  }

  of(model: string): PieceCounts {
    let counts = this.#byModel.get(model)
    if (counts) this.#budget.touch(counts)
    else {
      counts = this.#make(model)
      this.#byModel.set(model, counts)
      this.#budget.hold(counts, counts.byteLength, () => this.#byModel.delete(model))
    }
    return counts
  }

  /** Parts have come into a page (`by` = 1) or have left it. `pieces`: the distinct ones of each, behind one another. */
  change(model: string, page: number, pieces: Uint16Array, parts: number, by: 1 | -1): void {
    const counts = this.#byModel.get(model)
    if (!counts?.includes(page) || pieces.length === 0) return
    if (by === 1) counts.add(pieces, parts)
    else counts.remove(pieces, parts)
  }

  /** After a change that failed: the counts may be ahead of the storage. */
  clear(): void {
    for (const counts of this.#byModel.values()) this.#budget.drop(counts)
    this.#byModel.clear()
  }

  #make(model: string): PieceCounts {
    const counts = new PieceCounts()
    for (const { page: number } of this.#store.pagesOf(model).slice(0, MAX_COUNTED_PAGES)) {
      counts.includes(number)
      const page = this.#store.cached(number)
      if (page) counts.add(page.pieces.all, page.pieces.used)
      else {
        const first = number * PAGE_SLOTS
        const { parts, pieces } = this.#sql
          .exec<{ parts: number; pieces: ArrayBuffer | null }>(PIECES_OF_PAGE, first, first + PAGE_SLOTS)
          .one()
        counts.add(new Uint16Array(pieces ?? new ArrayBuffer()), parts)
      }
    }
    return counts
  }
}
