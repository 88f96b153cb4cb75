import { within } from '../values/deadline.ts'
import { unavailable } from '../errors.ts'
import { SharedBatch, type KeepAlive } from '../batching/shared-batch.ts'
import type { Query } from './query.ts'

/** Deadlines of one D1 call, in milliseconds; past them the answer is 503 (architecture §6). */
export const READ_DEADLINE_MS = 2_000
export const WRITE_DEADLINE_MS = 10_000
const MAX_PREPARED = 1_000

/** Values that D1 binds. Lists travel as one JSON text through `json_each` (100 bound parameters a query). */
export type SqlValue = string | number | null | ArrayBuffer | Uint8Array

/** Counts round trips and rows, so that tests can hold a caller to a budget. */
export interface Meter {
  roundTrips: number
  rowsRead: number
  rowsWritten: number
}

/** A statement that has not run. Several of them go into one commit. */
export type Statement = D1PreparedStatement

/** What a statement is made of: both forms of `Database.statement`. */
type Arguments = [sql: string, ...values: SqlValue[]] | [query: Query<unknown, unknown>, params: unknown]

/** What all `Database` objects of one D1 database share. */
interface Shared {
  prepared: Map<string, D1PreparedStatement>
  commits: SharedBatch
  lookUps: SharedBatch
}

/**
 * One D1 database. An isolate prepares each statement once, since preparing it costs a fifth of a read.
 * D1 has no transactions, but its `batch` is atomic: the service writes more than one row in no other way.
 */
export class Database {
  readonly #d1: D1Database
  readonly #shared: Shared
  readonly #meter: Meter | undefined

  constructor(d1: D1Database, shared = sharedOf(d1), meter?: Meter) {
    this.#d1 = d1
    this.#shared = shared
    this.#meter = meter
  }

  /** The same database, counting into `meter`. */
  metered(meter: Meter): Database {
    return new Database(this.#d1, this.#shared, meter)
  }

  /** A statement that is not run yet: SQL with the values for its parameters, or a `Query` with its parameters by name. */
  statement(sql: string, ...values: SqlValue[]): Statement
  statement<Params>(query: Query<Params, unknown>, params: Params): Statement
  statement(...what: Arguments): Statement {
    return this.#statement(what)
  }

  #statement([what, ...rest]: Arguments): Statement {
    const sql = typeof what === 'string' ? what : what.sql
    const values = typeof what === 'string' ? rest : what.values(rest[0])
    const { prepared } = this.#shared
    let statement = prepared.get(sql)
    if (!statement) {
      prepared.set(sql, (statement = this.#d1.prepare(compiledOnce(sql))))
      // Clients choose the filters of a search and so its SQL. The map drops the oldest statement.
      const oldest = prepared.keys().next().value
      if (prepared.size > MAX_PREPARED && oldest !== undefined) prepared.delete(oldest)
    }
    return values.length > 0 ? statement.bind(...values) : statement
  }

  /** Rows of one read. */
  async all<Row>(sql: string, ...values: SqlValue[]): Promise<Row[]>
  async all<Params, Row>(query: Query<Params, Row>, params: Params): Promise<Row[]>
  async all<Row>(...what: Arguments): Promise<Row[]> {
    return this.#all<Row>(what)
  }

  async #all<Row>(what: Arguments): Promise<Row[]> {
    const result = await answered(READ_DEADLINE_MS, this.#statement(what).all<Row>())
    this.#count([result])
    return result.results
  }

  /** The first row of one read, or null. */
  async first<Row>(sql: string, ...values: SqlValue[]): Promise<Row | null>
  async first<Params, Row>(query: Query<Params, Row>, params: Params): Promise<Row | null>
  async first<Row>(...what: Arguments): Promise<Row | null> {
    return (await this.#all<Row>(what))[0] ?? null
  }

  /**
   * The row that a statement finds by its key, or null. The round trip is most of the cost of such a read, so
   * concurrent requests may share one.
   */
  async lookUp<Row>(request: KeepAlive, sql: string, ...values: SqlValue[]): Promise<Row | null> {
    const work = this.#shared.lookUps.run([this.statement(sql, ...values)], request)
    const results = await answered(READ_DEADLINE_MS, work)
    this.#count(results)
    return (results[0]?.results[0] as Row | undefined) ?? null
  }

  /** One write in a commit of its own. Its `returning` gives the rows. */
  async write<Row>(sql: string, ...values: SqlValue[]): Promise<Row[]>
  async write<Params, Row>(query: Query<Params, Row>, params: Params): Promise<Row[]>
  async write<Row>(...what: Arguments): Promise<Row[]> {
    const [rows] = await this.batch<[Row]>([this.#statement(what)])
    return rows
  }

  /**
   * Runs all statements or none of them, and answers the rows of each in order. A caller that passes its request lets
   * the batch share a commit with other requests: for small batches that are not expected to fail.
   */
  async batch<Rows extends unknown[]>(
    statements: Statement[],
    request?: KeepAlive,
  ): Promise<{ [K in keyof Rows]: Rows[K][] }> {
    const work = request ? this.#shared.commits.run(statements, request) : this.#d1.batch(statements)
    const results = await answered(WRITE_DEADLINE_MS, work)
    this.#count(results)
    return results.map((result) => result.results) as { [K in keyof Rows]: Rows[K][] }
  }

  #count(results: D1Result[]): void {
    if (!this.#meter) return
    this.#meter.roundTrips += 1
    for (const { meta } of results) {
      this.#meter.rowsRead += meta.rows_read
      this.#meter.rowsWritten += meta.rows_written
    }
  }
}

/**
 * Puts a plus before each parameter. SQLite then compiles a statement once and not again for each value.
 * A search takes a fifth less time.
 */
export const compiledOnce = (sql: string): string => sql.replaceAll(/(?<![+?\w'])\?\d*/g, '+$&')

/**
 * A database writes one batch at a time, so a second commit loses nothing by waiting for others. A look-up may answer
 * a text of 256 KB, and a batch answers as a whole: fewer look-ups go together than commits.
 */
const sharedOf = (d1: D1Database): Shared => ({
  prepared: new Map(),
  commits: new SharedBatch(d1, { gatherMs: 5, statements: 100, repeatable: false }),
  lookUps: new SharedBatch(d1, { gatherMs: 3, statements: 16, repeatable: true }),
})

async function answered<T>(deadlineMs: number, work: Promise<T>): Promise<T> {
  try {
    return await within(deadlineMs, work, () => unavailable('The database'))
  } catch (error) {
    throw isTransient(error) ? unavailable('The database', error) : error
  }
}

/** Messages of D1 that mean "try again": overload, a reset of the object behind it, a lost connection. */
const isTransient = (error: unknown): boolean =>
  error instanceof Error &&
  /overloaded|D1_ERROR: (Network|Internal)|storage.*reset|exceeded its CPU|timed? ?out/i.test(error.message)

/** The name of a violated unique constraint (`table.column`), or null for any other error. */
export function violatedConstraint(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  return /UNIQUE constraint failed: ([\w.]+)/.exec(error.message)?.[1] ?? null
}

/** Whether a foreign key refused a batch: a row that one of its statements refers to is not there. */
export const brokeForeignKey = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('FOREIGN KEY constraint failed')
