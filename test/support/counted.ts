import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import worker from '../../src/index.ts'
import { utf8 } from '../../src/core/values/encoding.ts'
import { METRICS_TOKEN } from './metrics.ts'
import { observedDatabase } from './observed-database.ts'
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
  const countTrip = (trip: () => Promise<unknown>): Promise<unknown> => {
    asked.d1 += 1
    return trip()
  }
  const counting = {
    ...env,
    USER_HUB: countingNamespace(env.USER_HUB, () => (asked.hub += 1)),
    LIMITER: countingNamespace(env.LIMITER, () => (asked.limiter += 1)),
    PROJECT_VECTORS: countingNamespace(env.PROJECT_VECTORS, () => (asked.vectors += 1)),
    ...Object.fromEntries(
      Object.entries(env)
        .filter(([name]) => /^(AUDIT_)?DB(_|$)/.test(name))
        .map(([name, database]) => [name, observedDatabase(database as D1Database, countTrip)]),
    ),
    // With an operator who reads figures: gathering them asks nobody.
    METRICS_TOKEN,
  }
  const context = createExecutionContext()
  const text = body === undefined ? null : JSON.stringify(body)
  // As over HTTP, a body of known length declares it.
  const sent =
    text === null ? {} : { 'Content-Type': 'application/json', 'Content-Length': String(utf8(text).byteLength) }
  const request = new Request<unknown, IncomingRequestCfProperties>(`http://recollect.test${path}`, {
    method,
    headers: { ...sent, ...headers },
    body: text,
  })
  const response = await worker.fetch(request, counting, context)
  const received = await textOf(response)
  late.push(waitOnExecutionContext(context))
  return { status: response.status, body: isJson(response) ? JSON.parse(received) : undefined, asked: { ...asked } }
}

const late: Promise<unknown>[] = []

/** Waits for what counted requests do after their answers: figures gather for seconds, which a file waits for once. */
export const settled = (): Promise<unknown> => Promise.all(late.splice(0))

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
