import { compiledOnce } from '../../core/database/database.ts'
import { PageCache } from './page-cache.ts'
import { emptyPage, PAGE_SLOTS, type Page } from './page.ts'

/** What a page is found by before it is read. */
export interface PageRow extends Record<string, SqlStorageValue> {
  page: number
  model: string
  dimension: number
  used: number
  newest_at: number
}

/** A vector as it is stored, on its own, so that one more writes one row, however full its page; all but its bytes. */
type SlotTuple = [
  slot: number,
  scale: number,
  item: string,
  row: number | null,
  version: number,
  chunk: number,
  namespace: string,
]

/**
 * A page in one row, since each row of an answer costs more than SQLite takes to read it. Bytes pass through
 * `group_concat` as text unchanged: neither it nor a cast looks at them.
 */
const SLOTS_OF_PAGE = `
  select json_group_array(json_array(slot, scale, item, item_row, version, chunk, namespace)) as slots,
    cast(group_concat(cast(vector as text), '') as blob) as vectors
  from (select * from slots where slot >= ? and slot < ? order by slot)`

const PAGES_OF_MODEL = compiledOnce('select * from pages where model = ? order by page')
const USED_OF_MODEL = compiledOnce('select coalesce(sum(used), 0) as n from pages where model = ?')
const PAGE = compiledOnce('select * from pages where page = ?')
const ROOMY = compiledOnce(`
  select page from pages where model = ? and dimension = ? and used < ${PAGE_SLOTS}
    and page not in (select value from json_each(?)) order by page limit 1`)

/** The pages that a change has in hand, by number. */
export type Touched = Map<number, Page>

/**
 * Vectors in the SQLite of an object, and those of their pages that are in memory. The tables are made with the first vector,
 * so that a look at a project that never had one leaves nothing behind.
 */
export class PageStore {
  readonly #storage: DurableObjectStorage
  readonly #sql: SqlStorage
  readonly #cache: PageCache
  /** What the table of the pages says of a model, until it changes. */
  readonly #pagesOf = new Map<string, readonly PageRow[]>()
  readonly #usedOf = new Map<string, number>()
  #exists: boolean

  constructor(storage: DurableObjectStorage, cacheBudget?: number) {
    this.#storage = storage
    this.#cache = new PageCache(cacheBudget)
    this.#sql = storage.sql
    const [slots] = this.#sql.exec<{ sql: string }>(`select sql from sqlite_master where name = 'slots'`)
    this.#exists = slots !== undefined
    // An object of the first version: its hits are looked up by id.
    if (slots && !slots.sql.includes('item_row')) this.#sql.exec('alter table slots add column item_row integer')
  }

  get exists(): boolean {
    return this.#exists
  }

  create(): void {
    if (this.#exists) return
    this.#sql.exec(`
      create table pages (page integer primary key, model text not null, dimension integer not null,
        used integer not null, newest_at integer not null);
      create index pages_by_model on pages (model, newest_at);
      create table slots (slot integer primary key, item text not null, version integer not null,
        chunk integer not null, namespace text not null, scale real not null, vector blob not null, item_row integer);
      create index slots_by_item on slots (item);`)
    this.#exists = true
  }

  /** All pages of a model, in order. */
  pagesOf(model: string): readonly PageRow[] {
    let rows = this.#pagesOf.get(model)
    if (!rows) this.#pagesOf.set(model, (rows = this.#sql.exec<PageRow>(PAGES_OF_MODEL, model).toArray()))
    return rows
  }

  /** How many vectors of a model there are. */
  usedOf(model: string): number {
    let used = this.#usedOf.get(model)
    if (used === undefined)
      this.#usedOf.set(model, (used = this.#sql.exec<{ n: number }>(USED_OF_MODEL, model).one().n))
    return used
  }

  /** All or nothing; a failure also forgets the pages in memory, which may be ahead of the storage. */
  change(work: (touched: Touched) => void): void {
    const existed = this.#exists
    this.#pagesOf.clear()
    this.#usedOf.clear()
    try {
      this.#storage.transactionSync(() => {
        const touched: Touched = new Map()
        work(touched)
        for (const [number, page] of touched) this.#save(number, page)
      })
    } catch (error) {
      this.#exists = existed
      this.#cache.clear()
      throw error
    }
  }

  /** A page with room for one more vector, the one in hand if there is one, else a new one. */
  roomy(touched: Touched, model: string, dimension: number): [number, Page] {
    for (const [number, page] of touched) {
      if (page.model === model && page.dimension === dimension && page.used < PAGE_SLOTS) return [number, page]
    }
    const [row] = this.#sql
      .exec<{ page: number }>(ROOMY, model, dimension, JSON.stringify([...touched.keys()]))
      .toArray()
    if (row) return [row.page, this.touch(touched, row.page)]
    const { next } = this.#sql.exec<{ next: number }>('select coalesce(max(page), -1) + 1 as next from pages').one()
    const number = Math.max(next, ...[...touched.keys()].map((taken) => taken + 1))
    const page = emptyPage(model, dimension)
    touched.set(number, page)
    return [number, page]
  }

  /** Takes a page in hand. */
  touch(touched: Touched, number: number): Page {
    let page = touched.get(number)
    if (!page) {
      const row = this.#sql.exec<PageRow>(PAGE, number).one()
      touched.set(number, (page = this.read(row)))
    }
    return page
  }

  /** The page of a row, from memory if it is there. */
  read(row: PageRow): Page {
    const cached = this.#cache.get(row.page)
    if (cached) return cached
    const page = emptyPage(row.model, row.dimension)
    page.used = row.used
    page.newestAt = row.newest_at
    const { slots, vectors } = this.#sql
      .exec<{ slots: string; vectors: ArrayBuffer }>(SLOTS_OF_PAGE, row.page * PAGE_SLOTS, (row.page + 1) * PAGE_SLOTS)
      .one()
    const bytes = new Int8Array(vectors)
    JSON.parse(slots).forEach(([slot, scale, item, row, version, chunk, namespace]: SlotTuple, nth: number) => {
      const place = slot % PAGE_SLOTS
      page.slots[place] = { item, row, version, chunk, namespace }
      page.scales[place] = scale
      page.vectors.set(bytes.subarray(nth * page.dimension, (nth + 1) * page.dimension), place * page.dimension)
    })
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
