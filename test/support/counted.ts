import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import worker from '../../src/index.ts'
import { isJson, textOf, type Call } from './world.ts'

/** What one request asks of others before it is answered; every one of them is a round trip. */
export interface Asked {
  hub: number
  limiter: number
  vectors: number
  d1: number
}

/** One request through the whole Worker, and what it asked of whom. The round trips after the answer are not in it. */
export async function counted(
  method: string,
  path: string,
  { headers = {}, body }: Call,
): Promise<{ status: number; body: any; asked: Asked }> {
  const asked: Asked = { hub: 0, limiter: 0, vectors: 0, d1: 0 }
  const counting = {
    ...env,
    USER_HUB: countingNamespace(env.USER_HUB, () => (asked.hub += 1)),
    LIMITER: countingNamespace(env.LIMITER, () => (asked.limiter += 1)),
    PROJECT_VECTORS: countingNamespace(env.PROJECT_VECTORS, () => (asked.vectors += 1)),
    DB: countingDatabase(env.DB, () => (asked.d1 += 1)),
  }
  const context = createExecutionContext()
  const request = new Request<unknown, IncomingRequestCfProperties>(`http://recollect.test${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const response = await worker.fetch(request, counting, context)
  const text = await textOf(response)
  const before = { ...asked }
  await waitOnExecutionContext(context)
  return { status: response.status, body: isJson(response) ? JSON.parse(text) : undefined, asked: before }
}

/** The object with each call of a method told; what `wrap` makes of a method's result is handed on. */
function observed<T extends object>(target: T, told: (name: string) => void, wrap = (result: unknown) => result): T {
  return new Proxy(target, {
    get: (_, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        told(String(name))
        return wrap(Reflect.apply(member, target, args))
      }
    },
  })
}

const countingNamespace = <T extends Rpc.DurableObjectBranded>(
  namespace: DurableObjectNamespace<T>,
  count: () => void,
): DurableObjectNamespace<T> =>
  observed(
    namespace,
    () => {},
    (stub) => observed(stub as object, count),
  )

/** Statements are D1's own, so that they fit into a batch; only those that run by themselves are told of. */
function countingDatabase(database: D1Database, count: () => void): D1Database {
  const statement = (real: D1PreparedStatement): D1PreparedStatement =>
    Object.assign(real, {
      all: () => {
        count()
        return Object.getPrototypeOf(real).all.call(real)
      },
      bind: (...values: unknown[]) => statement(Object.getPrototypeOf(real).bind.apply(real, values)),
    })
  return new Proxy(database, {
    get: (_, name) => {
      if (name === 'prepare') return (sql: string) => statement(database.prepare(sql))
      if (name === 'batch') count()
      const member: unknown = Reflect.get(database, name)
      return typeof member === 'function' ? member.bind(database) : member
    },
  })
}
