import { looksLikeDatabase } from '../../src/core/shards.ts'
import worker from '../../src/index.ts'
import { STATEMENT_MS, TRIPS_PATH } from '../support/shards-path.ts'

export { ClientDocument, Limiter, ProjectVectors, UserHub } from '../../src/index.ts'

let trips = 0

/** The service with databases that run one statement at a time, `STATEMENT_MS` each. */
export default {
  ...worker,
  async fetch(request: Request<unknown, IncomingRequestCfProperties>, env: Env, execution: ExecutionContext) {
    if (new URL(request.url).pathname !== TRIPS_PATH) return worker.fetch(request, slowed(env), execution)
    const counted = trips
    trips = 0
    return Response.json(counted)
  },
}

const known = new WeakMap<Env, Env>()

/** The audit's databases stay as they are: no request waits for them. */
function slowed(env: Env): Env {
  const before = known.get(env)
  if (before) return before
  const bound = Object.entries(env).map(([name, value]) => [
    name,
    looksLikeDatabase(name) && !name.startsWith('AUDIT') ? oneAtATime(value as D1Database) : value,
  ])
  const made = Object.fromEntries(bound) as Env
  known.set(env, made)
  return made
}

/** In one process all databases share a core and wait for one another. Here each has a clock of its own instead. */
function oneAtATime(database: D1Database): D1Database {
  let freeAt = 0
  const turn = async <T>(statements: number, trip: () => Promise<T>): Promise<T> => {
    trips += 1
    const now = Date.now()
    freeAt = Math.max(now, freeAt) + statements * STATEMENT_MS
    await scheduler.wait(freeAt - now)
    return trip()
  }
  const statement = (real: D1PreparedStatement): D1PreparedStatement =>
    Object.assign(real, {
      all: () => turn(1, () => Object.getPrototypeOf(real).all.call(real)),
      bind: (...values: unknown[]) => statement(Object.getPrototypeOf(real).bind.apply(real, values)),
    })
  return new Proxy(database, {
    get: (_, name) => {
      if (name === 'prepare') return (sql: string) => statement(database.prepare(sql))
      if (name === 'batch') return (all: D1PreparedStatement[]) => turn(all.length, () => database.batch(all))
      const member: unknown = Reflect.get(database, name)
      return typeof member === 'function' ? member.bind(database) : member
    },
  })
}
