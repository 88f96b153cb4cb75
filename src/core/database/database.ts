import { systemClock } from '../values/clock.ts'
import { within } from '../values/deadline.ts'
import { SharedBatch, type KeepAlive } from '../batching/shared-batch.ts'
import { BriefStatements } from './brief-statements.ts'
import { isFull } from './d1-errors.ts'
import { failureOf, FULL_RETRY_AFTER_MS, late } from './failures.ts'
import type { Meter } from './meter.ts'
import type { Query } from './query.ts'
import type { QueryBudget } from './query-budget.ts'
import { FIRST_SHARD } from '../shards.ts'
import { statementOf, type Params } from './sql.ts'
import { UserTurns } from './user-turns.ts'

/** Deadlines of one D1 call, in milliseconds; past them the answer is 503 (architecture §6). */
export const READ_DEADLINE_MS = 2_000
export const WRITE_DEADLINE_MS = 10_000

/** A statement that has not run. Several of them go into one commit. */
export type Statement = D1PreparedStatement

/** The arguments that make a statement: SQL with the values for its `:names`, or a `Query` with its parameters. */
type Arguments = [sql: string, params?: Params | undefined] | [query: Query<unknown, unknown>, params: unknown]

/**
 * Which statements of other requests go with a read in one round trip. `byKey`: others that find a row by its key. A key:
 * others that are brief, as the last statement of this key was. `heavy`: none.
 */
type Sharing = 'byKey' | 'heavy' | { briefAs: string }

/** What one `Database` object counts, and for whom and how it asks. */
interface Use {
  meter?: Meter | undefined
  budget?: QueryBudget | undefined
  caller?: string | undefined
  request?: KeepAlive | undefined
  sharing?: Sharing | undefined
}

/** The state that all `Database` objects of one D1 database share. */
interface Shared {
  prepared: WeakMap<Query<unknown, unknown>, D1PreparedStatement>
  commits: SharedBatch
  lookUps: SharedBatch
  reads: SharedBatch
  brief: BriefStatements
  turns: UserTurns
  /** When a commit was last refused for lack of room. */
  fullAt: number
}

/**
 * One D1 database. An isolate prepares each statement once, since preparing it costs a fifth of a read.
 * D1 has no transactions, but its `batch` is atomic: the service writes more than one row in no other way.
 */
export class Database {
  readonly shard: string
  readonly #d1: D1Database
  readonly #shared: Shared
  readonly #use: Use

  /** `shard`: whose database it is. Queue messages name it. */
  constructor(d1: D1Database, shard = FIRST_SHARD, shared = sharedOf(d1), use: Use = {}) {
    this.#d1 = d1
    this.shard = shard
    this.#shared = shared
    this.#use = use
  }

  /** The same database, counting into `meter`. */
  metered(meter: Meter): Database {
    return this.#for({ meter })
  }

  /** The same database for an invocation without a request, counting into its budget. */
  within(budget: QueryBudget): Database {
    return this.#for({ budget })
  }

  /**
   * The same database for one request of a user. A user who sends very many queues behind their own requests. The request
   * is kept alive while others wait for a round trip that it leads.
   */
  inTurnOf(caller: string, request: KeepAlive): Database {
    return this.#for({ caller, request })
  }

  /**
   * The same database for reads that find a row by its key. Those of concurrent requests share their round trip, which is
   * most of their cost.
   */
  get byKey(): Database {
    return this.#for({ sharing: 'byKey' })
  }

  /**
   * The same database for brief reads. Those of concurrent requests share their round trip, unless the last read of their
   * key turned out not to be brief: then they are heavy. The first read of a key goes alone.
   */
  brief(key: string): Database {
    return this.#for({ sharing: { briefAs: key } })
  }

  /** The same database for heavy reads, of which a user has few before it at once. The others wait for their turn. */
  get heavy(): Database {
    return this.#for({ sharing: 'heavy' })
  }

  #for(use: Use): Database {
    return new Database(this.#d1, this.shard, this.#shared, { ...this.#use, ...use })
  }

  /** The invocation has asked enough of D1: begin no further portion. Never so in a request, whose work is bounded. */
  get isSpent(): boolean {
    return this.#use.budget?.isSpent ?? false
  }

  /** A statement that is not run yet: SQL with the values for its `:names`, or a `Query` with its parameters. */
  statement(sql: string, params?: Params): Statement
  statement<Values>(query: Query<Values, unknown>, params: Values): Statement
  statement(...what: Arguments): Statement {
    return this.#statement(what)
  }

  #statement([what, params = {}]: Arguments): Statement {
    const query = typeof what === 'string' ? statementOf(what) : what
    const values = query.values(params)
    const { prepared } = this.#shared
    let statement = prepared.get(query)
    if (!statement) prepared.set(query, (statement = this.#d1.prepare(query.sql)))
    return values.length > 0 ? statement.bind(...values) : statement
  }

  /** Rows of one read. */
  async all<Row>(sql: string, params?: Params): Promise<Row[]>
  async all<Values, Row>(query: Query<Values, Row>, params: Values): Promise<Row[]>
  async all<Row>(...what: Arguments): Promise<Row[]> {
    return (await this.#read<Row>(what)).results
  }

  /** The first row of one read, or null. */
  async first<Row>(sql: string, params?: Params): Promise<Row | null>
  async first<Values, Row>(query: Query<Values, Row>, params: Values): Promise<Row | null>
  async first<Row>(...what: Arguments): Promise<Row | null> {
    return (await this.#read<Row>(what)).results[0] ?? null
  }

  async #read<Row>(what: Arguments): Promise<D1Result<Row>> {
    const { request, sharing } = this.#use
    const statement = this.#statement(what)
    const read = async (): Promise<D1Result[]> => {
      const batch = request && sharing && this.#batchFor(sharing)
      return batch ? batch.run([statement], request) : [await within(READ_DEADLINE_MS, statement.all(), late)]
    }
    const [result] = await this.#answered(1, read, sharing !== undefined && this.#isHeavy(sharing))
    if (!result) throw new Error('a read without a result')
    this.#count([result])
    if (typeof sharing === 'object') this.#shared.brief.remember(sharing.briefAs, result)
    return result as D1Result<Row>
  }

  #batchFor(sharing: Sharing): SharedBatch | null {
    const { lookUps, reads, brief } = this.#shared
    if (sharing === 'byKey') return lookUps
    return sharing !== 'heavy' && brief.mayShare(sharing.briefAs) ? reads : null
  }

  #isHeavy(sharing: Sharing): boolean {
    return typeof sharing === 'object' ? this.#shared.brief.beginsHeavy(sharing.briefAs) : sharing === 'heavy'
  }

  /** One write in a commit of its own. Its `returning` gives the rows. */
  async write<Row>(sql: string, params?: Params): Promise<Row[]>
  async write<Values, Row>(query: Query<Values, Row>, params: Values): Promise<Row[]>
  async write<Row>(...what: Arguments): Promise<Row[]> {
    const [rows] = await this.batch<[Row]>([this.#statement(what)])
    return rows
  }

  /**
   * Runs all statements or none of them, and answers the rows of each in order. A `brief` commit may share its batch with
   * those of other requests: it is small, and is not expected to fail.
   */
  async batch<Rows extends unknown[]>(
    statements: Statement[],
    way: 'alone' | 'brief' = 'alone',
  ): Promise<{ [K in keyof Rows]: Rows[K][] }> {
    const { request } = this.#use
    const results = await this.#answered(statements.length, () =>
      request && way === 'brief'
        ? this.#shared.commits.run(statements, request)
        : within(WRITE_DEADLINE_MS, this.#d1.batch(statements), late),
    )
    this.#count(results)
    return results.map((result) => result.results) as { [K in keyof Rows]: Rows[K][] }
  }

  /** The bytes that the database takes, as D1 tells with every answer. */
  async size(): Promise<number> {
    return (await this.#read(['select 1'])).meta.size_after
  }

  /** A commit of this isolate was refused for lack of room, and nobody was to try again since. */
  get isFull(): boolean {
    return systemClock() - this.#shared.fullAt < FULL_RETRY_AFTER_MS
  }

  #answered<T>(queries: number, call: () => Promise<T>, isHeavy = false): Promise<T> {
    const { budget, caller } = this.#use
    if (budget) budget.spent += queries
    const answer = async (): Promise<T> => {
      try {
        return await call()
      } catch (error) {
        if (isFull(error)) this.#shared.fullAt = systemClock()
        throw failureOf(error)
      }
    }
    if (caller === undefined) return answer()
    return this.#shared.turns.run(caller, isHeavy, answer)
  }

  #count(results: D1Result[]): void {
    const { meter } = this.#use
    if (!meter) return
    meter.roundTrips += 1
    for (const { meta } of results) {
      meter.rowsRead += meta.rows_read
      meter.rowsWritten += meta.rows_written
    }
  }
}

/**
 * A database runs one batch at a time, so a second one loses nothing by waiting for others. A look-up may answer a text of
 * 256 KB, and a batch answers as a whole: fewer reads go together than commits.
 */
const sharedOf = (d1: D1Database): Shared => ({
  prepared: new WeakMap(),
  commits: new SharedBatch(d1, { gatherMs: 5, statements: 100, ...COMMITS }),
  lookUps: new SharedBatch(d1, { gatherMs: 3, statements: 16, ...READS }),
  reads: new SharedBatch(d1, { gatherMs: 5, statements: 16, ...READS }),
  brief: new BriefStatements(),
  turns: new UserTurns(),
  fullAt: -Infinity,
})

const COMMITS = { repeatable: false, deadlineMs: WRITE_DEADLINE_MS, late }
const READS = { repeatable: true, deadlineMs: READ_DEADLINE_MS, late }
