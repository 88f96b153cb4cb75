import type { MemoryBudget } from './memory-budget.ts'
import type { Page } from './page.ts'

/** Memory of a slot besides its vector and its pieces. */
const SLOT_BYTES = 170

/** Memory of a page. The counts of its pieces take about as much as these. */
export const pageBytes = ({ vectors, pieces, slots }: Page): number =>
  vectors.byteLength + 2 * pieces.byteLength + slots.length * SLOT_BYTES

/** The pages of one object that are in memory. */
export class PageCache {
  readonly #pages = new Map<number, Page>()
  readonly #budget: MemoryBudget

  constructor(budget: MemoryBudget) {
    this.#budget = budget
  }

  get(number: number): Page | undefined {
    const page = this.#pages.get(number)
    if (page) this.#budget.touch(page)
    return page
  }

  /** Called again for a page that has changed, because its size may have. */
  set(number: number, page: Page): void {
    if (this.#pages.get(number) !== page) this.delete(number)
    this.#pages.set(number, page)
    this.#budget.hold(page, pageBytes(page), () => this.#pages.delete(number))
  }

  delete(number: number): void {
    const page = this.#pages.get(number)
    if (!page) return
    this.#pages.delete(number)
    this.#budget.drop(page)
  }

  clear(): void {
    for (const number of this.#pages.keys()) this.delete(number)
  }
}
