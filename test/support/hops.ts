import { env } from 'cloudflare:workers'
import { bindingOf, FIRST_SHARD } from '../../src/core/shards.ts'
import { observedDatabase } from './observed-database.ts'

/** Where a hop leads: to shard 00, to the tenant's shard, or to an object. */
export const HOPS = ['limiter', 'directory', 'hub', 'database', 'vectors'] as const
type Hop = (typeof HOPS)[number]
export type Sequence = Record<Hop, number>

interface Trip {
  to: Hop
  startedAt: number
  endedAt: number
}

/** The round trips of one piece of work. Its instants are numbers of the order in which trips began and ended. */
export class Trips {
  readonly #trips: Trip[] = []
  #instant = 0

  /** Bindings under which the trips of a Worker are noted. */
  readonly bindings = {
    ...env,
    USER_HUB: this.#objects(env.USER_HUB, 'hub'),
    LIMITER: this.#objects(env.LIMITER, 'limiter'),
    PROJECT_VECTORS: this.#objects(env.PROJECT_VECTORS, 'vectors'),
    ...Object.fromEntries(
      Object.entries(env)
        .filter(([name]) => /^(AUDIT_)?DB(_|$)/.test(name))
        .map(([name, database]) => [
          name,
          observedDatabase(database as D1Database, (trip) =>
            this.#note(name === bindingOf('DB', FIRST_SHARD) ? 'directory' : 'database', trip),
          ),
        ]),
    ),
  }

  /** How often each was asked until now, of trips that wait for one another: of several at once the one that ends first. */
  sequence(): Sequence {
    const counts = { limiter: 0, directory: 0, hub: 0, database: 0, vectors: 0 }
    let endedAt = 0
    for (const trip of this.#trips.toSorted((a, b) => a.endedAt - b.endedAt)) {
      if (trip.startedAt < endedAt || trip.endedAt === Infinity) continue
      counts[trip.to] += 1
      endedAt = trip.endedAt
    }
    return counts
  }

  async #note(to: Hop, work: () => Promise<unknown>): Promise<unknown> {
    const trip: Trip = { to, startedAt: (this.#instant += 1), endedAt: Infinity }
    this.#trips.push(trip)
    try {
      return await work()
    } finally {
      trip.endedAt = this.#instant += 1
    }
  }

  #objects<T extends Rpc.DurableObjectBranded>(
    namespace: DurableObjectNamespace<T>,
    to: Hop,
  ): DurableObjectNamespace<T> {
    const stub = (real: object) => wrapped(real, (call) => this.#note(to, async () => call()))
    return new Proxy(namespace, {
      get: (_, name) => {
        const member: unknown = Reflect.get(namespace, name)
        if (typeof member !== 'function') return member
        return (...args: unknown[]) => stub(Reflect.apply(member, namespace, args) as object)
      },
    })
  }
}

/** The object with `around` about each call of a method. */
const wrapped = <T extends object>(target: T, around: (call: () => unknown) => unknown): T =>
  new Proxy(target, {
    get: (_, name) => {
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function'
        ? (...args: unknown[]) => around(() => Reflect.apply(member, target, args))
        : member
    },
  })
