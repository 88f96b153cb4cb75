import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { groupCommit } from '../../core/batching/group-commit.ts'
import { boundsOf, credentialMayReceive } from '../access.ts'
import { claim, type ClaimedDelivery } from './claim.ts'
import { failWithoutAccess } from './fail-without-access.ts'
import { post, type AttemptResult } from './post.ts'
import { postpone } from './postpone.ts'
import { record, type DeliveryAttempt } from './record.ts'
import { pauseUnsent } from './retry-schedule.ts'
import { resolvedFault, urlFault } from '../../core/http/target-guard.ts'
import { inSpan } from '../../core/spans.ts'
import { webhookRequest, type WebhookRequest } from './webhook-request.ts'
import { MINUTE_MS } from '../../core/values/durations.ts'

/** The least pause after an error of this service before sending. No attempt is used. */
const OUR_ERROR_PAUSE_MS = 30_000
/** The least pause after a host name without an answer. */
const NO_ANSWER_PAUSE_MS = MINUTE_MS
/** Pauses between tries to record attempts. */
const RECORD_PAUSES_MS = [100, 500]

/**
 * Makes one attempt for each delivery that is due. D1 is the truth and the queue only wakes: a message that is repeated, early
 * or late finds nothing to claim. The lease of a dead consumer expires, and the next one sends the same `webhook-id` again.
 */
export const deliver = async (system: System, db: Database, ids: readonly string[]): Promise<void> =>
  sendClaimed(system, db, await claim(system, db, ids))

/** Sends deliveries that are claimed, and records their attempts. */
export async function sendClaimed(system: System, db: Database, deliveries: readonly ClaimedDelivery[]): Promise<void> {
  const recordTogether = groupCommit<DeliveryAttempt>((attempts) => withRetries(() => record(system, db, attempts)))
  const bySubscription = Map.groupBy(deliveries, (delivery) => delivery.subscription_id)
  await settleAll([...bySubscription.values()], (own) => deliverAll(system, db, own, recordTogether))
}

type RecordAttempt = (attempt: DeliveryAttempt) => Promise<void>

/** Deliveries of one subscription. Its target is checked once and its hub is asked once for all of them. */
async function deliverAll(
  system: System,
  db: Database,
  deliveries: readonly ClaimedDelivery[],
  recordAttempt: RecordAttempt,
): Promise<void> {
  const { true: allowed = [], false: refused = [] } = Object.groupBy(deliveries, (one) => `${mayBeSent(one)}`)
  await settleAll(refused, (delivery) => failWithoutAccess(system, db, delivery))
  const [first] = allowed
  if (!first) return
  const postponeAll = (leastMs: number, reason: string) => postponeUnsent(system, db, allowed, leastMs, reason)
  // Before the reservation, so that a delivery that is not sent takes no share of the limit.
  const fault = await checkTarget(system, first.url)
  if (fault === 'no_answer') return postponeAll(NO_ANSWER_PAUSE_MS, 'name_not_resolved')
  if (fault !== null) {
    return settleAll(allowed, (delivery) => recordAttempt(attemptOf(system, delivery, stoppedBy(system, fault))))
  }
  const waits = await reserve(system, first, allowed)
  if (waits === null) return postponeAll(OUR_ERROR_PAUSE_MS, 'not_sent')
  const waitOf = (delivery: ClaimedDelivery) => waits.get(delivery.delivery_id) ?? 0
  const later = allowed.filter((delivery) => waitOf(delivery) > 0)
  const now = allowed.filter((delivery) => waitOf(delivery) === 0)
  await settleAll(
    [
      () => postpone(system, db, later, waitOf, { reserved: true }),
      ...now.map((delivery) => () => send(system, db, delivery, recordAttempt)),
    ],
    (work) => work(),
  ).finally(() => endReserved(system, first, now.length))
}

/** Tells the hub after all else, since nothing waits for it. The hub forgets by itself what nobody ends. */
function endReserved(system: System, { routing_id, subscription_id }: ClaimedDelivery, count: number): void {
  if (count === 0) return
  const ended = system.hub(routing_id).endDeliveries(count)
  system.waitUntil(
    ended.catch((error: unknown) => system.log.error({ event: 'delivery.not_ended', subscription_id }, error)),
  )
}

const postponeUnsent = (
  system: System,
  db: Database,
  deliveries: readonly ClaimedDelivery[],
  leastMs: number,
  reason: string,
) => postpone(system, db, deliveries, (one) => pauseUnsent(leastMs, system.now() - one.delivery_created_at), { reason })

const mayBeSent = (delivery: ClaimedDelivery): boolean =>
  delivery.credential_lives === 1 &&
  delivery.may_receive === 1 &&
  credentialMayReceive(boundsOf(delivery), delivery.event)

async function checkTarget(system: System, url: string): Promise<string | null> {
  const { allowPrivateWebhooks, publicHosts } = system.config
  const fault = urlFault(url, publicHosts, allowPrivateWebhooks)
  if (fault) return fault
  return resolvedFault(url, system.resolver, allowPrivateWebhooks).catch(() => 'no_answer')
}

/** Milliseconds to wait, by delivery; null where the hub could not be reached. */
async function reserve(
  system: System,
  { routing_id, subscription_id }: ClaimedDelivery,
  deliveries: readonly ClaimedDelivery[],
): Promise<Map<string, number> | null> {
  const held = deliveries.map(({ reserved }) => reserved === 1)
  try {
    const waits = await system.hub(routing_id).reserveDeliveries(subscription_id, held)
    return new Map(deliveries.map(({ delivery_id }, index) => [delivery_id, waits[index] ?? 0]))
  } catch (error) {
    system.log.error({ event: 'delivery.not_sent', subscription_id }, error)
    return null
  }
}

async function send(
  system: System,
  db: Database,
  delivery: ClaimedDelivery,
  recordAttempt: RecordAttempt,
): Promise<void> {
  let request: WebhookRequest
  try {
    request = await webhookRequest(system, delivery)
  } catch (error) {
    system.log.error({ event: 'delivery.not_sent', delivery_id: delivery.delivery_id }, error)
    return postponeUnsent(system, db, [delivery], OUR_ERROR_PAUSE_MS, 'not_sent')
  }
  const { url, headers, body } = request
  const { delivery_id, subscription_id } = delivery
  const result = await inSpan('deliver', {}, { delivery_id, subscription_id }, () => post(system, url, headers, body))
  await recordAttempt(attemptOf(system, delivery, result))
}

const attemptOf = (system: System, delivery: ClaimedDelivery, result: AttemptResult): DeliveryAttempt => ({
  ...result,
  delivery,
  attemptId: system.newId('att'),
})

/** The request was sent, so its record is tried three times. Only after that the delivery is sent again. */
async function withRetries(write: () => Promise<void>): Promise<void> {
  for (const pauseMs of RECORD_PAUSES_MS) {
    try {
      return await write()
    } catch {
      await scheduler.wait(pauseMs)
    }
  }
  await write()
}

/** An attempt that the target guard stopped. It counts, so that a target that moved into a private network ends as failed. */
const stoppedBy = (system: System, fault: string): AttemptResult => ({
  startedAt: system.now(),
  durationMs: 0,
  statusCode: null,
  error: fault,
  response: '',
  retryAfterMs: null,
})

/** Runs all to their end, then throws the first failure. */
async function settleAll<T>(list: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const settled = await Promise.allSettled(list.map(work))
  const failure = settled.find((one) => one.status === 'rejected')
  if (failure) throw failure.reason
}
