import type { Database, Statement } from '../core/database/database.ts'

/** The load of an audit database is added up in steps of this length. */
export const LOAD_STEP_MS = 10_000
/** Pages that an audit database bears a second, a seventh of what `npm run bench:audit` measures (docs/scaling.md). */
export const PAGES_A_SECOND = 3_000
/** The bytes of this many accesses take as long as a page. */
export const ACCESSES_A_PAGE = 6
/** Once its pages of a step are this many, consumers write past the database. */
export const MAX_LOAD_OF_STEP = (PAGES_A_SECOND * LOAD_STEP_MS) / 1_000

/** What pages with so many accesses together take of an audit database, as a number of pages. */
export const loadOf = (pages: number, accesses: number): number => pages + Math.floor(accesses / ACCESSES_A_PAGE)

export const loadStep = (now: number): number => now - (now % LOAD_STEP_MS)

/** Adds a load to its step. Run it in the commit that stores the pages. */
export const loadStatement = (db: Database, now: number, load: number): Statement =>
  db.statement(
    'insert into page_loads (at, load) values (?, ?) on conflict (at) do update set load = load + excluded.load',
    loadStep(now),
    load,
  )
