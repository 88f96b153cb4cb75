import { vectorName } from '../../core/values/vector-name.ts'
import type { ExactQuery, ReaderOf, VectorHit, VectorsOf } from '../../core/vectors.ts'
import type { MemoryBudget } from './memory-budget.ts'
import { NearestItems } from './nearest-items.ts'
import { PageStore, type DirtyPages } from './page-store.ts'
import { PAGE_SLOTS, setSlot } from './page.ts'
import type { PieceTable } from './pieces/asked-pieces.ts'
import { rankHits, type Comparison } from './rank-hits.ts'
import { insertRun, readRuns, runsIn, type PageRow, type RunSlots } from './runs-table.ts'
import { partOf, putRun, type Run } from './runs.ts'
import { MAX_COPIED_BYTES, sentPage, type SentPage } from './vector-copy.ts'

/** The slots of the runs that a JSON list of `VectorsOf` names. */
const SLOTS_OF = `select r.slot from json_each(?) i cross join runs r on r.item = i.value ->> 'item'
  where r.version <= coalesce(i.value ->> 'version', r.version)`

const FRESH_PAGES = 'select * from pages where model = +? and newest_at >= +? order by page'

/** To read this many slots of a page that is not in memory costs as much as the whole page. */
const SLOTS_WORTH_A_PAGE = 16

const toJson = (items: readonly VectorsOf[]): string =>
  JSON.stringify(items.map(({ item, version }) => ({ item, version })))

/**
 * The vectors of one project as int8, in the SQLite of its object and in pages of memory. A page holds vectors of one
 * model; the number of a slot is page × 64 + its index in the page.
 */
export class VectorStore {
  readonly #sql: SqlStorage
  readonly #store: PageStore

  constructor(storage: DurableObjectStorage, budget: MemoryBudget) {
    this.#sql = storage.sql
    this.#store = new PageStore(storage, budget)
  }

  put(model: string, runs: readonly Run[], at: number): void {
    if (runs.length === 0) return
    this.#store.change((dirty) => {
      this.#store.create()
      const stored = this.#versions(runs)
      const wanted = runs.filter(({ item, version }) => version >= (stored.get(item) ?? 0))
      this.#free(dirty, wanted)
      for (const run of wanted) this.#insert(dirty, model, run, at)
    })
  }

  remove(items: readonly VectorsOf[]): void {
    if (this.#store.exists) this.#store.change((dirty) => this.#free(dirty, items))
  }

  /** Sets the readers of runs, and their words where they are given. Answers the items of which it has none of this version. */
  setReaders(readers: readonly ReaderOf[], at: number): string[] {
    const missing = new Set(readers.map(({ item }) => item))
    if (!this.#store.exists) return [...missing]
    this.#store.change((dirty) => {
      const set = this.#sql.exec<RunSlots & { item: string; reader: string; turn_words: number | null }>(
        `update runs set reader = j.value ->> 'reader', turn_words = coalesce(j.value ->> 'turnWords', turn_words)
         from json_each(?) j
         where runs.item = j.value ->> 'item' and runs.version = j.value ->> 'version'
         returning slot, length, item, reader, turn_words`,
        JSON.stringify(readers),
      )
      for (const { slot, length, item, reader, turn_words: turnWords } of set.toArray()) {
        missing.delete(item)
        const page = this.#store.pageForChange(dirty, Math.floor(slot / PAGE_SLOTS))
        for (let index = slot % PAGE_SLOTS, end = index + length; index < end; index++) {
          const part = page.slots[index]
          if (part) setSlot(page, index, { ...part, reader, turnWords })
        }
        page.newestAt = Math.max(page.newestAt, at)
      }
    })
    return [...missing]
  }

  /** The runs of items, without their pieces. */
  runs(items: readonly VectorsOf[]): Run[] {
    if (!this.#store.exists) return []
    return runsIn(this.#sql, SLOTS_OF, toJson(items))
  }

  names(items: readonly VectorsOf[]): string[] {
    if (!this.#store.exists) return []
    return this.#sql
      .exec<{ item: string; version: number; chunk: number; length: number }>(
        `select item, version, chunk, length from runs where slot in (${SLOTS_OF})`,
        toJson(items),
      )
      .toArray()
      .flatMap(({ item, version, chunk, length }) =>
        Array.from({ length }, (_, nth) => vectorName(item, version, chunk + nth)),
      )
  }

  items(limit: number): string[] {
    if (!this.#store.exists) return []
    return this.#sql
      .exec<{ item: string }>('select distinct item from runs order by slot limit cast(? as integer)', limit)
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
    return rankHits(nearest, comparisonOf(query, table, freshFrom === 0))
  }

  /** Like `query`, for the vectors of these items only. They are too few to say what is rare, so the model does. */
  score(query: ExactQuery, items: readonly string[], table: PieceTable | null): VectorHit[] {
    if (!this.#store.exists) return []
    const nearest = new NearestItems(query.vector, query)
    const scattered = new Map<number, RunSlots[]>()
    for (const { row, runs } of this.#runsByPage(query.model, items)) {
      const indexes = runs.flatMap(({ slot, length }) => Array.from({ length }, (_, nth) => (slot % PAGE_SLOTS) + nth))
      if (indexes.length >= SLOTS_WORTH_A_PAGE || this.#store.cached(row.page)) {
        nearest.scan(this.#store.read(row), indexes)
      } else scattered.set(row.dimension, [...(scattered.get(row.dimension) ?? []), ...runs])
    }
    for (const [dimension, runs] of scattered) {
      for (const some of pagefuls(runs)) nearest.scan(readRuns(this.#sql, query.model, dimension, some))
    }
    return rankHits(nearest, comparisonOf(query, table, false))
  }

  /** All pages of a model, to be searched elsewhere; null: they have more bytes than a copy may have. */
  pages(model: string): SentPage[] | null {
    if (!this.#store.exists) return []
    const rows = this.#store.pagesOf(model)
    // Whole pages travel, also where few of their slots are used.
    const bytes = rows.reduce((sum, { dimension }) => sum + PAGE_SLOTS * dimension, 0)
    return bytes > MAX_COPIED_BYTES ? null : rows.map((row) => sentPage(this.#store.read(row)))
  }

  /** The runs of items, by page. */
  #runsByPage(model: string, items: readonly string[]): Iterable<{ row: PageRow; runs: RunSlots[] }> {
    const byPage = new Map<number, { row: PageRow; runs: RunSlots[] }>()
    for (const { slot, length, ...row } of this.#sql.exec<PageRow & RunSlots>(
      `select r.slot, r.length, p.*
       from json_each(?) i cross join runs r on r.item = i.value cross join pages p on p.page = r.slot / ${PAGE_SLOTS}
       where p.model = ?`,
      JSON.stringify(items),
      model,
    )) {
      const page = byPage.get(row.page)
      if (page) page.runs.push({ slot, length })
      else byPage.set(row.page, { row, runs: [{ slot, length }] })
    }
    return byPage.values()
  }

  /** The newest version that has vectors, by item. */
  #versions(runs: readonly Run[]): Map<string, number> {
    const rows = this.#sql
      .exec<{ item: string; version: number }>(
        `select item, max(version) as version from runs
         where item in (select value from json_each(?)) group by item`,
        JSON.stringify(runs.map(({ item }) => item)),
      )
      .toArray()
    return new Map(rows.map((row) => [row.item, row.version]))
  }

  /** Empties the slots of these items. */
  #free(dirty: DirtyPages, items: readonly VectorsOf[]): void {
    const freed = this.#sql
      .exec<RunSlots>(`delete from runs where slot in (${SLOTS_OF}) returning slot, length`, toJson(items))
      .toArray()
    for (const { slot, length } of freed) {
      const number = Math.floor(slot / PAGE_SLOTS)
      const page = this.#store.pageForChange(dirty, number)
      const first = slot % PAGE_SLOTS
      page.pieces.clear(first, length)
      for (let index = first; index < first + length; index++) setSlot(page, index, null)
      page.vectors.fill(0, first * page.dimension, (first + length) * page.dimension)
      page.used -= length
    }
  }

  /** Stores a run in the first slots that are free, a part of it in each gap. */
  #insert(dirty: DirtyPages, model: string, run: Run, at: number): void {
    let stored = 0
    while (stored < run.length) {
      const [number, page] = this.#store.pageWithRoom(dirty, model, run.dimension)
      const first = page.slots.indexOf(null)
      let length = 1
      while (page.slots[first + length] === null && stored + length < run.length) length += 1
      const part = partOf(run, stored, (stored += length))
      insertRun(this.#sql, number * PAGE_SLOTS + first, part)
      putRun(page, first, part)
      page.newestAt = Math.max(page.newestAt, at)
    }
  }
}

const comparisonOf = ({ pieces }: ExactQuery, table: PieceTable | null, counts: boolean): Comparison | null =>
  table && pieces && { table, pieces, counts }

/** Runs in portions of as many chunks as a page holds. */
function pagefuls(runs: readonly RunSlots[]): RunSlots[][] {
  const all: RunSlots[][] = [[]]
  let chunks = 0
  for (const run of runs) {
    chunks += run.length
    if (chunks > PAGE_SLOTS) {
      all.push([])
      chunks = run.length
    }
    all.at(-1)?.push(run)
  }
  return all
}
