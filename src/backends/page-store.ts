import { PageCache } from './page-cache.ts'
import { emptyPage, PAGE_SLOTS, type Page, type Slot } from './page.ts'

/** What a page is found by before it is read. */
export interface PageRow extends Record<string, SqlStorageValue> {
  page: number
  model: string
  dimension: number
  used: number
}

/** The pages that a change has in hand, by number. */
export type Touched = Map<number, Page>

/**
 * Pages in the SQLite of an object, and those of them that are in memory. The tables are made with the first vector,
 * so that a look at a project that never had one leaves nothing behind.
 */
export class PageStore {
  readonly #storage: DurableObjectStorage
  readonly #sql: SqlStorage
  readonly #cache = new PageCache()
  #exists: boolean

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
    this.#sql = storage.sql
    this.#exists = this.#sql.exec(`select 1 from sqlite_master where name = 'pages'`).toArray().length > 0
  }

  get exists(): boolean {
    return this.#exists
  }

  create(): void {
    if (this.#exists) return
    this.#sql.exec(`
      create table pages (page integer primary key, model text not null, dimension integer not null,
        used integer not null, newest_at integer not null, vectors blob not null);
      create index pages_by_model on pages (model, newest_at);
      create table slots (slot integer primary key, item text not null, version integer not null,
        chunk integer not null, namespace text not null, scale real not null);
      create index slots_by_item on slots (item);`)
    this.#exists = true
  }

  /** All or nothing; a failure also forgets the pages in memory, which may be ahead of the storage. */
  change(work: (touched: Touched) => void): void {
    const existed = this.#exists
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
      .exec<{ page: number }>(
        `select page from pages where model = ? and dimension = ? and used < ${PAGE_SLOTS}
         and page not in (select value from json_each(?)) order by page limit 1`,
        model,
        dimension,
        JSON.stringify([...touched.keys()]),
      )
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
      const row = this.#sql.exec<PageRow>('select page, model, dimension, used from pages where page = ?', number).one()
      touched.set(number, (page = this.read(row)))
    }
    return page
  }

  /** The page of a row, from memory if it is there. */
  read(row: PageRow): Page {
    const cached = this.#cache.get(row.page)
    if (cached) return cached
    const page = emptyPage(row.model, row.dimension)
    const { vectors, newest_at } = this.#sql
      .exec<{ vectors: ArrayBuffer; newest_at: number }>(
        'select vectors, newest_at from pages where page = ?',
        row.page,
      )
      .one()
    page.vectors.set(new Int8Array(vectors))
    page.used = row.used
    page.newestAt = newest_at
    for (const { slot, scale, ...entry } of this.#sql.exec<
      Slot & { slot: number; scale: number } & Record<string, SqlStorageValue>
    >(
      'select slot, item, version, chunk, namespace, scale from slots where slot >= ? and slot < ?',
      row.page * PAGE_SLOTS,
      (row.page + 1) * PAGE_SLOTS,
    )) {
      page.slots[slot % PAGE_SLOTS] = entry
      page.scales[slot % PAGE_SLOTS] = scale
    }
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
      `insert into pages (page, model, dimension, used, newest_at, vectors) values (?, ?, ?, ?, ?, ?)
       on conflict (page) do update set used = excluded.used, newest_at = excluded.newest_at, vectors = excluded.vectors`,
      number,
      page.model,
      page.dimension,
      page.used,
      page.newestAt,
      page.vectors.slice().buffer,
    )
    this.#cache.set(number, page)
  }
}
