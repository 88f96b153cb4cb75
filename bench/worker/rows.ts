import worker from '../../src/index.ts'
import { ALONE_PATH, ROWS_PATH, type Call, type RowsRead } from '../support/rows-read.ts'

export { ClientDocument, Limiter, ProjectVectors, UserHub } from '../../src/index.ts'

const MAX_DEAREST = 5
/** A read of more than this is asked again, since the CPU of a call holds garbage collections of up to 80 ms. */
const DEAR_MS = 20
const TIMES_ASKED = 3
const NONE: RowsRead = { rows: 0, statements: 0, dearest: [], dearestOfConsumers: [] }

let read = structuredClone(NONE)
const state = { alone: false, underWay: false, consumers: 0 }
/** Tells the CPU of this runtime. null: nothing is counted. */
let cpuUrl: string | null = null

/** The service as it is. It counts the rows that statements of requests read, and times the calls of consumers and sweeps. */
export default {
  ...worker,
  async fetch(request: Request<unknown, IncomingRequestCfProperties>, env: Env, execution: ExecutionContext) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname !== ROWS_PATH && pathname !== ALONE_PATH) {
      return worker.fetch(request, countingEnv(env, countRequest), execution)
    }
    state.alone = pathname === ALONE_PATH
    while (state.alone && state.consumers > 0) await wait()
    cpuUrl = searchParams.get('cpu')
    const reply = Response.json(read)
    read = structuredClone(NONE)
    return reply
  },
  async queue(batch: MessageBatch, env: Env, execution: ExecutionContext) {
    while (state.alone) await wait()
    state.consumers += 1
    try {
      await worker.queue(batch, countingEnv(env, countConsumer), execution)
    } finally {
      state.consumers -= 1
    }
  },
}

type Count = (call: Call, results: readonly D1Result[]) => void

function countRequest(call: Call, results: readonly D1Result[]): void {
  read.dearest = dearestOf(read.dearest, call)
  for (const { meta } of results) read.rows += meta.rows_read
  read.statements += results.length
}

function countConsumer(call: Call): void {
  read.dearestOfConsumers = dearestOf(read.dearestOfConsumers, call)
}

const dearestOf = (calls: readonly Call[], call: Call): Call[] =>
  [...calls, call].toSorted((a, b) => b.cpuMs - a.cpuMs).slice(0, MAX_DEAREST)

const known = new Map<Count, WeakMap<Env, Env>>()

/** The service composes its parts once an environment, so each has one of its own. */
function countingEnv(env: Env, count: Count): Env {
  const own = known.get(count) ?? new WeakMap<Env, Env>()
  known.set(count, own)
  let counting = own.get(env)
  if (!counting) {
    counting = { ...env, DB: countingDatabase(env.DB, count), AUDIT_DB: countingDatabase(env.AUDIT_DB, count) }
    own.set(env, counting)
  }
  return counting
}

interface Prepared {
  statement: D1PreparedStatement
  sql: string
}

function countingDatabase(database: D1Database, count: Count): D1Database {
  const originals = new WeakMap<D1PreparedStatement, Prepared>()
  const counted = async (sqls: readonly string[], ask: () => Promise<D1Result[]>): Promise<D1Result[]> => {
    const url = cpuUrl
    if (url === null) return ask()
    const release = await acquire()
    try {
      const { results, ms } = await measured(url, ask)
      const asked = [ms]
      const times = results.some(({ meta }) => meta.rows_written > 0) ? 1 : TIMES_ASKED
      while (Math.min(...asked) > DEAR_MS && asked.length < times) asked.push((await measured(url, ask)).ms)
      const sql = sqls.find(isWrite) ?? sqls[0] ?? ''
      count({ cpuMs: Math.min(...asked), sql: sql.replaceAll(/\s+/g, ' ').slice(0, 80) }, results)
      return results
    } finally {
      release()
    }
  }
  const counting = (statement: D1PreparedStatement, sql: string): D1PreparedStatement => {
    const proxy = new Proxy(statement, {
      get: (target, name) => {
        if (name === 'bind') return (...values: unknown[]) => counting(target.bind(...values), sql)
        if (name === 'all') return async () => (await counted([sql], async () => [await target.all()]))[0]
        throw new Error(`the service calls ${String(name)} of a statement, which this bench does not count`)
      },
    })
    originals.set(proxy, { statement, sql })
    return proxy
  }
  return new Proxy(database, {
    get: (target, name) => {
      if (name === 'prepare') return (sql: string) => counting(target.prepare(sql), sql)
      if (name === 'batch')
        return (statements: D1PreparedStatement[]) => {
          const all = statements.map((statement) => originals.get(statement) ?? { statement, sql: '' })
          return counted(
            all.map(({ sql }) => sql),
            () => target.batch(all.map(({ statement }) => statement)),
          )
        }
      throw new Error(`the service calls ${String(name)} of D1, which this bench does not count`)
    },
  })
}

/** One call of the isolate at a time, so that the CPU of a call contains no other. */
async function acquire(): Promise<() => void> {
  while (state.underWay) await wait()
  state.underWay = true
  return () => (state.underWay = false)
}

/** Writes rows, and is no command of the keyword index. */
const isWrite = (sql: string): boolean => /^\s*(insert|update|delete)/.test(sql) && !sql.includes('(memory_words,rank)')

async function measured<T>(url: string, ask: () => Promise<T>): Promise<{ results: T; ms: number }> {
  const before = await cpuMs(url)
  const results = await ask()
  return { results, ms: (await cpuMs(url)) - before }
}

const cpuMs = async (url: string): Promise<number> => Number(await (await fetch(url)).text())

const wait = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 1))
