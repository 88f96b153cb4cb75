import { vectorName } from '../core/vectors.ts'
import { dot, quantize, type Int8Vector } from './int8.ts'
import { PageCache, type Page } from './page-cache.ts'
import type { VectorEntry, VectorHit, VectorsOf } from '../core/ports.ts'

const PAGE_SLOTS = 64

interface SlotRow extends Record<string, SqlStorageValue> {
  slot: number
  item: string
  version: number
  chunk: number
  namespace: string
  scale: number
}

interface PageRow extends Record<string, SqlStorageValue> {
  page: number
  model: string
  dimension: number
  used: number
}

/** Slots of a JSON list of `VectorsOf`. */
const SLOTS_OF = `select s.slot from json_each(?) i cross join slots s on s.item = i.value ->> 'item'
  where s.version <= coalesce(i.value ->> 'version', s.version)`

const toJson = (items: readonly VectorsOf[]): string =>
  JSON.stringify(items.map(({ item, version }) => ({ item, version })))

/**
 * The vectors of one project in the SQLite of its object: int8, 64 to a page, so that a project is read in few rows.
 * A page holds vectors of one model; slot = page × 64 + place. The tables are made with the first vector, so that a
 * look at a project that never had one leaves nothing behind.
 */
export class VectorPages {
  readonly #storage: DurableObjectStorage
  readonly #sql: SqlStorage
  readonly #cache = new PageCache()
  #exists: boolean

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
    this.#sql = storage.sql
    this.#exists = this.#sql.exec(`select 1 from sqlite_master where name = 'pages'`).toArray().length > 0
  }

  put(model: string, entries: readonly VectorEntry[], at: number): void {
    if (entries.length === 0) return
    this.#change((pages) => {
      this.#create()
      const items = JSON.stringify(entries.map(({ item }) => ({ item })))
      const held = new Map(
        this.#sql
          .exec<{ item: string; version: number }>(
            `select item, max(version) as version from slots
             where item in (select value ->> 'item' from json_each(?)) group by item`,
            items,
          )
          .toArray()
          .map((row) => [row.item, row.version]),
      )
      const wanted = entries.filter((entry) => entry.version >= (held.get(entry.item) ?? 0))
      this.#free(pages, wanted)
      for (const entry of wanted) this.#insert(pages, model, entry, at)
    })
  }

  remove(items: readonly VectorsOf[]): void {
    if (this.#exists) this.#change((pages) => this.#free(pages, items))
  }

  names(items: readonly VectorsOf[]): string[] {
    if (!this.#exists) return []
    return this.#sql
      .exec<SlotRow>(`select item, version, chunk from slots where slot in (${SLOTS_OF})`, toJson(items))
      .toArray()
      .map((row) => vectorName(row.item, row.version, row.chunk))
  }

  items(limit: number): string[] {
    if (!this.#exists) return []
    return this.#sql
      .exec<{ item: string }>('select distinct item from slots order by slot limit ?', limit)
      .toArray()
      .map((row) => row.item)
  }

  count(model: string): number {
    if (!this.#exists) return 0
    return this.#sql.exec<{ n: number }>('select coalesce(sum(used), 0) as n from pages where model = ?', model).one().n
  }

  /** The best `limit` items of the model's vectors put at or after `freshFrom`; 0: of all. */
  query(
    model: string,
    vector: Float32Array,
    limit: number,
    namespaces: readonly string[] | null,
    freshFrom = 0,
  ): VectorHit[] {
    if (!this.#exists) return []
    const best = new Best(limit)
    const query = quantize(vector)
    const from = freshFrom > 0 ? ' and newest_at >= ?' : ''
    const bound = freshFrom > 0 ? [model, freshFrom] : [model]
    for (const row of this.#sql.exec<PageRow>(
      `select page, model, dimension, used from pages where model = ?${from} order by page`,
      ...bound,
    )) {
      scan(query, this.#page(row), namespaces, best)
    }
    return best.hits()
  }

  /** As `query`, over the vectors of these items. */
  score(model: string, vector: Float32Array, limit: number, items: readonly string[]): VectorHit[] {
    if (!this.#exists) return []
    const best = new Best(limit)
    const query = quantize(vector)
    for (const { slot, ...row } of this.#sql.exec<PageRow & { slot: number }>(
      `select s.slot, p.page, p.model, p.dimension, p.used
       from json_each(?) i cross join slots s on s.item = i.value cross join pages p on p.page = s.slot / ${PAGE_SLOTS}
       where p.model = ?`,
      JSON.stringify(items),
      model,
    )) {
      scoreSlot(query, this.#page(row), slot % PAGE_SLOTS, best)
    }
    return best.hits()
  }

  #create(): void {
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
  #change<T>(work: (touched: Map<number, Page>) => T): T {
    const existed = this.#exists
    try {
      return this.#storage.transactionSync(() => {
        const touched = new Map<number, Page>()
        const result = work(touched)
        for (const [number, page] of touched) this.#save(number, page)
        return result
      })
    } catch (error) {
      this.#exists = existed
      this.#cache.clear()
      throw error
    }
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

  /** Empties the slots of these items, bytes included. */
  #free(touched: Map<number, Page>, items: readonly VectorsOf[]): void {
    const freed = this.#sql
      .exec<{ slot: number }>(`delete from slots where slot in (${SLOTS_OF}) returning slot`, toJson(items))
      .toArray()
    for (const { slot } of freed) {
      const page = this.#touch(touched, Math.floor(slot / PAGE_SLOTS))
      const place = slot % PAGE_SLOTS
      page.slots[place] = null
      page.vectors.fill(0, place * page.dimension, (place + 1) * page.dimension)
      page.used -= 1
    }
  }

  #insert(touched: Map<number, Page>, model: string, entry: VectorEntry, at: number): void {
    const [number, page] = this.#roomyPage(touched, model, entry.values.length)
    const place = page.slots.indexOf(null)
    const { bytes, scale } = quantize(entry.values)
    page.vectors.set(bytes, place * page.dimension)
    page.scales[place] = scale
    page.slots[place] = { item: entry.item, version: entry.version, chunk: entry.chunk, namespace: entry.namespace }
    page.used += 1
    page.newestAt = Math.max(page.newestAt, at)
    this.#sql.exec(
      'insert into slots (slot, item, version, chunk, namespace, scale) values (?, ?, ?, ?, ?, ?)',
      number * PAGE_SLOTS + place,
      entry.item,
      entry.version,
      entry.chunk,
      entry.namespace,
      scale,
    )
  }

  #roomyPage(touched: Map<number, Page>, model: string, dimension: number): [number, Page] {
    for (const [number, page] of touched) {
      if (page.model === model && page.dimension === dimension && page.used < PAGE_SLOTS) return [number, page]
    }
    const known = JSON.stringify([...touched.keys()])
    const [row] = this.#sql
      .exec<{ page: number }>(
        `select page from pages where model = ? and dimension = ? and used < ${PAGE_SLOTS}
         and page not in (select value from json_each(?)) order by page limit 1`,
        model,
        dimension,
        known,
      )
      .toArray()
    if (row) return [row.page, this.#touch(touched, row.page)]
    const { next } = this.#sql.exec<{ next: number }>('select coalesce(max(page), -1) + 1 as next from pages').one()
    const number = Math.max(next, ...[...touched.keys()].map((taken) => taken + 1))
    const page = emptyPage(model, dimension)
    touched.set(number, page)
    return [number, page]
  }

  #touch(touched: Map<number, Page>, number: number): Page {
    let page = touched.get(number)
    if (!page) {
      const row = this.#sql.exec<PageRow>('select page, model, dimension, used from pages where page = ?', number).one()
      touched.set(number, (page = this.#page(row)))
    }
    return page
  }

  #page(row: PageRow): Page {
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
    for (const { slot, scale, ...entry } of this.#sql.exec<SlotRow>(
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
}

const emptyPage = (model: string, dimension: number): Page => ({
  model,
  dimension,
  used: 0,
  newestAt: 0,
  vectors: new Int8Array(PAGE_SLOTS * dimension),
  scales: new Float32Array(PAGE_SLOTS),
  slots: Array.from({ length: PAGE_SLOTS }, () => null),
})

function scan(query: Int8Vector, page: Page, namespaces: readonly string[] | null, best: Best): void {
  for (let place = 0; place < PAGE_SLOTS; place++) {
    const slot = page.slots[place]
    if (slot && (namespaces === null || namespaces.includes(slot.namespace))) scoreSlot(query, page, place, best)
  }
}

function scoreSlot(query: Int8Vector, page: Page, place: number, best: Best): void {
  const slot = page.slots[place]
  if (!slot || page.dimension !== query.bytes.length) return
  const cosine = dot(query.bytes, page.vectors, place * page.dimension) * query.scale * (page.scales[place] ?? 0)
  best.add(slot.item, slot.version, slot.chunk, cosine)
}

/** Gathers each item's best chunk; sorts once, at the end. */
class Best {
  readonly #limit: number
  readonly #byItem = new Map<string, VectorHit>()

  constructor(limit: number) {
    this.#limit = limit
  }

  add(item: string, version: number, chunk: number, similarity: number): void {
    const before = this.#byItem.get(item)
    if (!before || before.similarity < similarity) this.#byItem.set(item, { item, version, chunk, similarity })
  }

  hits(): VectorHit[] {
    return [...this.#byItem.values()]
      .sort((a, b) => b.similarity - a.similarity || (a.item < b.item ? -1 : 1))
      .slice(0, this.#limit)
      .map((hit) => ({ ...hit, similarity: Math.round(hit.similarity * 1e4) / 1e4 }))
  }
}
