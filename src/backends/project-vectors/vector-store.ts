import { compiledOnce } from '../../core/database/database.ts'
import { vectorName } from '../../core/values/vector-name.ts'
import type { ExactQuery, VectorEntry, VectorHit, VectorsOf } from '../../core/vectors.ts'
import type { PieceTable } from './asked-pieces.ts'
import type { MemoryBudget } from './memory-budget.ts'
import { NearestItems } from './nearest-items.ts'
import { PageStore, type DirtyPages } from './page-store.ts'
import { PAGE_SLOTS, setSlot } from './page.ts'
import { PieceCountsOfObject } from './piece-counts.ts'
import { distinctPieces } from './piece-lists.ts'
import { quantize } from './quantize.ts'
import { rankHits } from './rank-hits.ts'
import { readSlots, type PageRow } from './slots-table.ts'
import { MAX_COPIED_BYTES, sentPage, type SentPage } from './vector-copy.ts'

/** The slots of the vectors that a JSON list of `VectorsOf` names. */
const SLOTS_OF = `select s.slot from json_each(?) i cross join slots s on s.item = i.value ->> 'item'
  where s.version <= coalesce(i.value ->> 'version', s.version)`

const FRESH_PAGES = compiledOnce('select * from pages where model = ? and newest_at >= ? order by page')

/** To read this many slots of a page that is not in memory costs as much as the whole page. */
const SLOTS_WORTH_A_PAGE = 16
const NO_PIECES = new Uint16Array(0)

const toJson = (items: readonly VectorsOf[]): string =>
  JSON.stringify(items.map(({ item, version }) => ({ item, version })))

/**
 * The vectors of one project as int8, in the SQLite of its object and in pages of memory. A page holds vectors of one
 * model; the number of a slot is page × 64 + its index in the page.
 */
export class VectorStore {
  readonly #sql: SqlStorage
  readonly #store: PageStore
  readonly #counts: PieceCountsOfObject

  constructor(storage: DurableObjectStorage, budget: MemoryBudget) {
    this.#sql = storage.sql
    this.#store = new PageStore(storage, budget)
    this.#counts = new PieceCountsOfObject(storage.sql, this.#store, budget)
  }

  put(model: string, entries: readonly VectorEntry[], at: number): void {
    if (entries.length === 0) return
    this.#change((dirty) => {
      this.#store.create()
      const stored = this.#versions(entries)
      const wanted = entries.filter((entry) => entry.version >= (stored.get(entry.item) ?? 0))
      this.#free(dirty, wanted)
      for (const entry of wanted) this.#insert(dirty, model, entry, at)
    })
  }

  remove(items: readonly VectorsOf[]): void {
    if (this.#store.exists) this.#change((dirty) => this.#free(dirty, items))
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

  /**
   * The best items. `freshFrom`: only pages with a vector put then or later are scanned; 0: all. `table`: of the query's
   * pieces; null: hits are ranked by their cosines.
   */
  query(query: ExactQuery, freshFrom: number, table: PieceTable | null): VectorHit[] {
    if (!this.#store.exists) return []
    const nearest = new NearestItems(query.vector, query)
    const rows =
      freshFrom > 0 ? this.#sql.exec<PageRow>(FRESH_PAGES, query.model, freshFrom) : this.#store.pagesOf(query.model)
    for (const row of rows) nearest.scan(this.#store.read(row))
    return this.#ranked(nearest, query, table)
  }

  /** Like `query`, for the vectors of these items only. */
  score(query: ExactQuery, items: readonly string[], table: PieceTable | null): VectorHit[] {
    if (!this.#store.exists) return []
    const nearest = new NearestItems(query.vector, query)
    const scattered = new Map<number, number[]>()
    for (const { row, slots } of this.#slotsByPage(query.model, items)) {
      if (slots.length >= SLOTS_WORTH_A_PAGE || this.#store.cached(row.page)) {
        const indexes = slots.map((slot) => slot % PAGE_SLOTS)
        nearest.scan(this.#store.read(row), indexes)
      } else scattered.set(row.dimension, [...(scattered.get(row.dimension) ?? []), ...slots])
    }
    for (const [dimension, slots] of scattered) {
      for (let at = 0; at < slots.length; at += PAGE_SLOTS) {
        const page = readSlots(this.#sql, query.model, dimension, slots.slice(at, at + PAGE_SLOTS))
        nearest.scan(page)
      }
    }
    return this.#ranked(nearest, query, table)
  }

  /** All pages of a model, to be searched elsewhere; null: they have more bytes than a copy may have. */
  pages(model: string): SentPage[] | null {
    if (!this.#store.exists) return []
    const rows = this.#store.pagesOf(model)
    // Whole pages travel, also where few of their slots are used.
    const bytes = rows.reduce((sum, { dimension }) => sum + PAGE_SLOTS * dimension, 0)
    return bytes > MAX_COPIED_BYTES ? null : rows.map((row) => sentPage(this.#store.read(row)))
  }

  #ranked(nearest: NearestItems, query: ExactQuery, table: PieceTable | null): VectorHit[] {
    const { model, pieces } = query
    return rankHits(nearest, table && pieces && { table, pieces, counts: this.#counts.of(model) })
  }

  /** The slots of items, by page. */
  #slotsByPage(model: string, items: readonly string[]): Iterable<{ row: PageRow; slots: number[] }> {
    const byPage = new Map<number, { row: PageRow; slots: number[] }>()
    for (const { slot, ...row } of this.#sql.exec<PageRow & { slot: number }>(
      `select s.slot, p.*
       from json_each(?) i cross join slots s on s.item = i.value cross join pages p on p.page = s.slot / ${PAGE_SLOTS}
       where p.model = ?`,
      JSON.stringify(items),
      model,
    )) {
      const page = byPage.get(row.page)
      if (page) page.slots.push(slot)
      else byPage.set(row.page, { row, slots: [slot] })
    }
    return byPage.values()
  }

  #change(work: (dirty: DirtyPages) => void): void {
    try {
      this.#store.change(work)
    } catch (error) {
      this.#counts.clear()
      throw error
    }
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
      this.#counts.change(page.model, Math.floor(slot / PAGE_SLOTS), page.pieces.of(index), -1)
      page.pieces.set(index, NO_PIECES)
      setSlot(page, index, null)
      page.vectors.fill(0, index * page.dimension, (index + 1) * page.dimension)
      page.used -= 1
    }
  }

  #insert(dirty: DirtyPages, model: string, entry: VectorEntry, at: number): void {
    const [number, page] = this.#store.pageWithRoom(dirty, model, entry.values.length)
    const index = page.slots.indexOf(null)
    const bytes = page.vectors.subarray(index * page.dimension, (index + 1) * page.dimension)
    const { scale } = quantize(entry.values, bytes)
    page.scales[index] = scale
    const { item, row = null, version, chunk, namespace } = entry
    const { start, end } = entry.offsets
    setSlot(page, index, { item, row, version, chunk, start, end, namespace })
    const pieces = entry.pieces ? distinctPieces(entry.pieces) : NO_PIECES
    page.pieces.set(index, pieces)
    this.#counts.change(model, number, pieces, 1)
    page.used += 1
    page.newestAt = Math.max(page.newestAt, at)
    this.#sql.exec(
      `insert into slots (slot, item, item_row, version, chunk, start_at, end_at, namespace, scale, vector, pieces)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      number * PAGE_SLOTS + index,
      item,
      row,
      version,
      chunk,
      start,
      end,
      namespace,
      scale,
      bytes.slice().buffer,
      pieces.length > 0 ? pieces.buffer : null,
    )
  }
}
