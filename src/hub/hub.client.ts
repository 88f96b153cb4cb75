import { isAppError, unavailable } from '../core/errors.ts'
import { BoundedMap } from '../core/values/bounded-map.ts'
import { systemClock } from '../core/values/clock.ts'
import { within } from '../core/values/deadline.ts'
import type { AdmitReply, AdmitRequest, Hub } from '../core/ports.ts'
import { shardOf } from '../core/shards.ts'
import { CONNECTION_HEADER, FIRST_FRAME_HEADER } from './user-sockets.ts'
import type { UserHub } from './user-hub.do.ts'

/** Of the calls that consumers and sweeps make, and of denials: one hub without an answer must not hold up the others. */
const BACKGROUND_DEADLINE_MS = 5_000

/**
 * Calls a user's hub. A hub that cannot be reached means 503, never "let in" (architecture §3).
 * An isolate remembers a refusal until the instant that the hub named, so that a flood of one token stays at the edge.
 * It remembers for a second at most, because a revocation or a released permit must show.
 * `placedIn`: where the objects of a shard are made.
 */
export function hubClient(
  namespace: DurableObjectNamespace<UserHub>,
  placedIn: (shard: string) => DurableObjectNamespaceGetDurableObjectOptions | undefined = () => undefined,
  backgroundDeadlineMs = BACKGROUND_DEADLINE_MS,
): (routingId: string) => Hub {
  const refusals = new RefusalMemory()
  const inTime = <T>(call: () => Promise<T>): Promise<T> =>
    reach(() => within(backgroundDeadlineMs, call(), () => new Error(`no response within ${backgroundDeadlineMs} ms`)))
  return (routingId) => {
    const stub = namespace.getByName(routingId, placedIn(shardOf(routingId)))
    return {
      admit: async (request) => {
        const refused = refusals.find(request, systemClock())
        if (refused) return refused
        const reply = await reach(() => stub.admit(request) as Promise<AdmitReply>)
        if (reply.outcome === 'limited') refusals.remember(request, { ...reply, toAudit: false }, systemClock())
        return reply
      },
      deny: (denial) => inTime(() => stub.deny(denial)),
      release: (policy, acquiredAt) => reach(() => stub.release(policy, acquiredAt)),
      limits: (keyId) => reach(() => stub.limits(keyId)),
      reserveDeliveries: (subscriptionId, reserved) => inTime(() => stub.reserveDeliveries(subscriptionId, reserved)),
      endDeliveries: (count) => inTime(() => stub.endDeliveries(count)),
      reserveSocket: (request) => reach(() => stub.reserveSocket(request)),
      addHistory: (connectionId, frames) => reach(() => stub.addHistory(connectionId, frames)),
      openSocket: (connectionId, first) => reach(() => stub.fetch(upgradeRequest(connectionId, first))),
      releaseSocket: (connectionId) => reach(() => stub.releaseSocket(connectionId)),
      push: (frames) => inTime(() => stub.push(frames)),
      missingSockets: (connectionIds) => inTime(() => stub.missingSockets(connectionIds)),
      closeWithoutRights: (connectionIds) => inTime(() => stub.closeWithoutRights(connectionIds)),
    }
  }
}

/** Only the answer to a fetch can carry a WebSocket from the object to the Worker. The URL has no meaning. */
const upgradeRequest = (connectionId: string, first: string): Request =>
  new Request('https://hub/', {
    headers: { Upgrade: 'websocket', [CONNECTION_HEADER]: connectionId, [FIRST_FRAME_HEADER]: first },
  })

async function reach<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw isAppError(error) ? error : unavailable('The hub of this user', error, 1)
  }
}

type Refusal = Extract<AdmitReply, { outcome: 'limited' }>

/** A forgotten refusal only costs a call to the hub. */
class RefusalMemory {
  readonly #refusals = new BoundedMap<string, { refusal: Refusal; until: number }>(MAX_REFUSALS)

  find(request: AdmitRequest, now: number): Refusal | null {
    const key = keyOf(request)
    const remembered = this.#refusals.get(key)
    if (!remembered) return null
    if (now < remembered.until) return remembered.refusal
    this.#refusals.delete(key)
    return null
  }

  remember(request: AdmitRequest, refusal: Refusal, now: number): void {
    this.#refusals.set(keyOf(request), { refusal, until: Math.min(refusal.retryAt, now + MEMORY_MS) })
  }
}

const MAX_REFUSALS = 10_000
const MEMORY_MS = 1_000

const keyOf = ({ tokenHash, resource, permits, further }: AdmitRequest): string =>
  [tokenHash, resource ?? '', further === true, ...permits].join(' ')
