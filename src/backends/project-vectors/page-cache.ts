import type { Page } from './page.ts'

const MIB = 1024 * 1024
/** Part of the 128 MB of an isolate on Cloudflare. All objects of the isolate share it. */
const DEFAULT_BUDGET = 88 * MIB
/** Memory of a slot besides its vector. */
const SLOT_BYTES = 150

/** The pages of all objects of this isolate, least recently used first: a map keeps the order of insertion. */
const resident = new Map<Page, { cache: PageCache; number: number; bytes: number }>()
let residentBytes = 0

/** The pages of one object that are in memory. Past the budget the least recently used page of the isolate goes first. */
export class PageCache {
  readonly #pages = new Map<number, Page>()
  readonly #budget: number

  /** `budget`: bytes for the pages of the whole isolate. */
  constructor(budget = DEFAULT_BUDGET) {
    this.#budget = budget
  }

  get(number: number): Page | undefined {
    const page = this.#pages.get(number)
    const entry = page && resident.get(page)
    if (page && entry) {
      resident.delete(page)
      resident.set(page, entry)
    }
    return page
  }

  set(number: number, page: Page): void {
    if (this.#pages.get(number) === page) return
    this.delete(number)
    const bytes = page.vectors.byteLength + page.slots.length * SLOT_BYTES
    this.#pages.set(number, page)
    resident.set(page, { cache: this, number, bytes })
    residentBytes += bytes
    for (const [oldest, entry] of resident) {
      if (residentBytes <= this.#budget || oldest === page) break
      entry.cache.delete(entry.number)
    }
  }

  delete(number: number): void {
    const page = this.#pages.get(number)
    if (!page) return
    this.#pages.delete(number)
    residentBytes -= resident.get(page)?.bytes ?? 0
    resident.delete(page)
  }

  clear(): void {
    for (const number of this.#pages.keys()) this.delete(number)
  }
}

/** `VECTOR_CACHE_MB` raises the budget on a laptop, where one process has more memory than an isolate of Cloudflare. */
export const cacheBudget = (env: { VECTOR_CACHE_MB?: string }): number =>
  Number(env.VECTOR_CACHE_MB) * MIB || DEFAULT_BUDGET
