import { compiledOnce } from '../../core/database/database.ts'
import { vectorName } from '../../core/values/vector-name.ts'
import { NearestItems } from './nearest-items.ts'
import { PageStore, type DirtyPages, type PageRow } from './page-store.ts'
import { PAGE_SLOTS } from './page.ts'
import { quantize } from './quantize.ts'
import type { VectorEntry, VectorHit, VectorsOf } from '../../core/ports.ts'

/** The slots of the vectors that a JSON list of `VectorsOf` names. */
const SLOTS_OF = `select s.slot from json_each(?) i cross join slots s on s.item = i.value ->> 'item'
  where s.version <= coalesce(i.value ->> 'version', s.version)`

const FRESH_PAGES = compiledOnce('select * from pages where model = ? and newest_at >= ? order by page')

const toJson = (items: readonly VectorsOf[]): string =>
  JSON.stringify(items.map(({ item, version }) => ({ item, version })))

/**
 * The vectors of one project as int8, in the SQLite of its object and in pages of memory. A page holds vectors of one
 * model; the number of a slot is page × 64 + its index in the page.
 */
export class VectorStore {
  readonly #sql: SqlStorage
  readonly #store: PageStore

  constructor(storage: DurableObjectStorage, cacheBudget?: number) {
    this.#sql = storage.sql
    this.#store = new PageStore(storage, cacheBudget)
  }

  put(model: string, entries: readonly VectorEntry[], at: number): void {
    if (entries.length === 0) return
    this.#store.change((dirty) => {
      this.#store.create()
      const stored = this.#versions(entries)
      const wanted = entries.filter((entry) => entry.version >= (stored.get(entry.item) ?? 0))
      this.#free(dirty, wanted)
      for (const entry of wanted) this.#insert(dirty, model, entry, at)
    })
  }

  remove(items: readonly VectorsOf[]): void {
    if (this.#store.exists) this.#store.change((dirty) => this.#free(dirty, items))
  }

  names(items: readonly VectorsOf[]): string[] {
    if (!this.#store.exists) return []
    return this.#sql
      .exec<{ item: string; version: number; chunk: number }>(
        `select item, version, chunk from slots where slot in (${SLOTS_OF})`,
        toJson(items),
      )
      .toArray()
      .map((row) => vectorName(row.item, row.version, row.chunk))
  }

  items(limit: number): string[] {
    if (!this.#store.exists) return []
    return this.#sql
      .exec<{ item: string }>('select distinct item from slots order by slot limit cast(? as integer)', limit)
      .toArray()
      .map((row) => row.item)
  }

  count(model: string): number {
    return this.#store.exists ? this.#store.usedOf(model) : 0
  }

  /** The best `limit` items of the model. `freshFrom`: only pages with a vector put then or later are scanned; 0: all. */
  query(
    model: string,
    vector: Float32Array,
    limit: number,
    namespaces: readonly string[] | null,
    freshFrom = 0,
  ): VectorHit[] {
    if (!this.#store.exists) return []
    const nearest = new NearestItems(vector, limit)
    const rows = freshFrom > 0 ? this.#sql.exec<PageRow>(FRESH_PAGES, model, freshFrom) : this.#store.pagesOf(model)
    for (const row of rows) nearest.scan(this.#store.read(row), namespaces)
    return nearest.hits()
  }

  /** Like `query`, for the vectors of these items only. */
  score(model: string, vector: Float32Array, limit: number, items: readonly string[]): VectorHit[] {
    if (!this.#store.exists) return []
    const nearest = new NearestItems(vector, limit)
    for (const { slot, ...row } of this.#sql.exec<PageRow & { slot: number }>(
      `select s.slot, p.*
       from json_each(?) i cross join slots s on s.item = i.value cross join pages p on p.page = s.slot / ${PAGE_SLOTS}
       where p.model = ?`,
      JSON.stringify(items),
      model,
    )) {
      nearest.scanSlot(this.#store.read(row), slot % PAGE_SLOTS)
    }
    return nearest.hits()
  }

  /** The newest version that has vectors, by item. */
  #versions(entries: readonly VectorEntry[]): Map<string, number> {
    const rows = this.#sql
      .exec<{ item: string; version: number }>(
        `select item, max(version) as version from slots
         where item in (select value from json_each(?)) group by item`,
        JSON.stringify(entries.map(({ item }) => item)),
      )
      .toArray()
    return new Map(rows.map((row) => [row.item, row.version]))
  }

  /** Empties the slots of these items. */
  #free(dirty: DirtyPages, items: readonly VectorsOf[]): void {
    const freed = this.#sql
      .exec<{ slot: number }>(`delete from slots where slot in (${SLOTS_OF}) returning slot`, toJson(items))
      .toArray()
    for (const { slot } of freed) {
      const page = this.#store.pageForChange(dirty, Math.floor(slot / PAGE_SLOTS))
      const index = slot % PAGE_SLOTS
      page.slots[index] = null
      page.vectors.fill(0, index * page.dimension, (index + 1) * page.dimension)
      page.used -= 1
    }
  }

  #insert(dirty: DirtyPages, model: string, entry: VectorEntry, at: number): void {
    const [number, page] = this.#store.pageWithRoom(dirty, model, entry.values.length)
    const index = page.slots.indexOf(null)
    const { bytes, scale } = quantize(entry.values)
    page.vectors.set(bytes, index * page.dimension)
    page.scales[index] = scale
    const { item, row = null, version, chunk, namespace } = entry
    page.slots[index] = { item, row, version, chunk, namespace }
    page.used += 1
    page.newestAt = Math.max(page.newestAt, at)
    this.#sql.exec(
      'insert into slots (slot, item, item_row, version, chunk, namespace, scale, vector) values (?, ?, ?, ?, ?, ?, ?, ?)',
      number * PAGE_SLOTS + index,
      item,
      row,
      version,
      chunk,
      namespace,
      scale,
      bytes.slice().buffer,
    )
  }
}
