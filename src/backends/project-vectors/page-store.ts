import type { MemoryBudget } from './memory-budget.ts'
import { convertOlderTables } from './older-tables.ts'
import { PageCache } from './page-cache.ts'
import { emptyPage, PAGE_SLOTS, type Page } from './page.ts'
import { createTables, readPage, type PageRow } from './runs-table.ts'

/** A plus before a parameter lets SQLite compile the statement once, and not again for each value. */
const PAGES_OF_MODEL = 'select * from pages where model = +? order by page'
const USED_OF_MODEL = 'select coalesce(sum(used), 0) as n from pages where model = +?'
const PAGE = 'select * from pages where page = +?'
const PAGE_WITH_ROOM = `
  select page from pages where model = +? and dimension = +? and used < ${PAGE_SLOTS}
    and page not in (select value from json_each(+?)) order by page limit 1`

/** The pages that a change has read or made, by number. The change saves them at its end. */
export type DirtyPages = Map<number, Page>

/**
 * The pages of one object: in its SQLite, and some of them in memory. `create` makes the tables with the first vector, so
 * a query to a project without vectors stores nothing.
 */
export class PageStore {
  readonly #storage: DurableObjectStorage
  readonly #sql: SqlStorage
  readonly #cache: PageCache
  /** Rows of `pages` by model, cached until the next change. */
  readonly #pagesOf = new Map<string, readonly PageRow[]>()
  readonly #usedOf = new Map<string, number>()
  #exists: boolean

  constructor(storage: DurableObjectStorage, budget: MemoryBudget) {
    this.#storage = storage
    this.#cache = new PageCache(budget)
    this.#sql = storage.sql
    convertOlderTables(storage)
    this.#exists = hasTables(storage.sql)
  }

  get exists(): boolean {
    return this.#exists
  }

  create(): void {
    if (this.#exists) return
    createTables(this.#sql)
    this.#exists = true
  }

  /** All pages of a model, in order. */
  pagesOf(model: string): readonly PageRow[] {
    let rows = this.#pagesOf.get(model)
    if (!rows) this.#pagesOf.set(model, (rows = this.#sql.exec<PageRow>(PAGES_OF_MODEL, model).toArray()))
    return rows
  }

  /** The number of vectors of a model. */
  usedOf(model: string): number {
    let used = this.#usedOf.get(model)
    if (used === undefined)
      this.#usedOf.set(model, (used = this.#sql.exec<{ n: number }>(USED_OF_MODEL, model).one().n))
    return used
  }

  /** Commits all of a change or nothing. A failure clears the cache, because its pages may be ahead of the storage. */
  change(work: (dirty: DirtyPages) => void): void {
    const existed = this.#exists
    this.#pagesOf.clear()
    this.#usedOf.clear()
    try {
      this.#storage.transactionSync(() => {
        const dirty: DirtyPages = new Map()
        work(dirty)
        for (const [number, page] of dirty) this.#save(number, page)
      })
    } catch (error) {
      this.#exists = existed
      this.#cache.clear()
      throw error
    }
  }

  /** A page with room for one more vector: a dirty one, or else a stored one, or else a new one. */
  pageWithRoom(dirty: DirtyPages, model: string, dimension: number): [number, Page] {
    for (const [number, page] of dirty) {
      if (page.model === model && page.dimension === dimension && page.used < PAGE_SLOTS) return [number, page]
    }
    const [row] = this.#sql
      .exec<{ page: number }>(PAGE_WITH_ROOM, model, dimension, JSON.stringify([...dirty.keys()]))
      .toArray()
    if (row) return [row.page, this.pageForChange(dirty, row.page)]
    const { next } = this.#sql.exec<{ next: number }>('select coalesce(max(page), -1) + 1 as next from pages').one()
    const number = Math.max(next, ...[...dirty.keys()].map((taken) => taken + 1))
    const page = emptyPage(model, dimension)
    dirty.set(number, page)
    return [number, page]
  }

  /** Reads a page that a change is about to change. */
  pageForChange(dirty: DirtyPages, number: number): Page {
    let page = dirty.get(number)
    if (!page) {
      const row = this.#sql.exec<PageRow>(PAGE, number).one()
      dirty.set(number, (page = this.read(row)))
    }
    return page
  }

  /** A page that is in memory. */
  cached(number: number): Page | undefined {
    return this.#cache.get(number)
  }

  /** The page of a row, from memory if possible. */
  read(row: PageRow): Page {
    const cached = this.#cache.get(row.page)
    if (cached) return cached
    const page = readPage(this.#sql, row)
    this.#cache.set(row.page, page)
    return page
  }

  #save(number: number, page: Page): void {
    if (page.used === 0) {
      this.#sql.exec('delete from pages where page = ?', number)
      this.#cache.delete(number)
      return
    }
    this.#sql.exec(
      `insert into pages (page, model, dimension, used, newest_at) values (?, ?, ?, ?, ?)
       on conflict (page) do update set used = excluded.used, newest_at = excluded.newest_at`,
      number,
      page.model,
      page.dimension,
      page.used,
      page.newestAt,
    )
    this.#cache.set(number, page)
  }
}

const hasTables = (sql: SqlStorage): boolean =>
  sql.exec(`select name from sqlite_master where name = 'runs'`).toArray().length > 0
