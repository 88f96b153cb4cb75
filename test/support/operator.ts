import { env } from 'cloudflare:workers'
import { call, type Answer, type Call } from './world.ts'

/** The secret of the one key in the ring of the suite, whose id is `t1`. */
export const operatorKey = String(Reflect.get(env, 'OPERATOR_KEYS')).replace(/^t1:/, '')

export const asOperator = { Authorization: `Bearer ${operatorKey}` }

let address = 0

/** One request of an operator, each from an address of its own unless it names one. */
export function operate<T = any>(method: string, path: string, options: Call = {}): Promise<Answer<T>> {
  address += 1
  const from = { 'CF-Connecting-IP': `2001:db8:0f0f:${address.toString(16)}::1` }
  return call(method, `/v1/operator${path}`, { ...options, headers: { ...from, ...asOperator, ...options.headers } })
}

/** Sets limits of a subject. */
export const setLimits = (subject: string, body: unknown): Promise<Answer> =>
  operate('PATCH', `/limits/${subject}`, { body })
