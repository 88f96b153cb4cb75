import { isAppError, unavailable } from '../../core/errors.ts'
import { sha256 } from '../../core/values/hash.ts'
import type { Limiter as LimiterPort } from '../../core/ports.ts'
import type { Limiter } from './limiter-shard.do.ts'
import type { LimitName } from '../../core/limits.ts'

const SHARDS = 1_024

/** Calls the `Limiter` object of a subject. An object that does not answer means 503, never an admission. */
export function limiterClient(
  namespace: DurableObjectNamespace<Limiter>,
  options?: DurableObjectNamespaceGetDurableObjectOptions,
): LimiterPort {
  const objectOf = async (subject: string) => {
    const shard = Number.parseInt((await sha256(subject)).slice(0, 6), 16) % SHARDS
    return namespace.getByName(`limiter-${shard}`, options)
  }
  const guard = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      throw isAppError(error) ? error : unavailable('The rate limiter', error)
    }
  }
  const acquireAll: LimiterPort['acquireAll'] = (names, subject) =>
    guard(objectOf(subject).then((object) => object.acquire(names as LimitName[], subject)))
  return {
    acquireAll,
    async acquire(name, subject) {
      const { limits, ...permit } = await acquireAll([name], subject)
      const [state] = limits
      if (!state) throw new Error('a permit has a state')
      return { ...permit, state }
    },
    release: (names, subject, acquiredAt) =>
      guard(objectOf(subject).then((object) => object.release([names].flat() as LimitName[], subject, acquiredAt))),
  }
}
