import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { groupCommit } from '../../core/batching/group-commit.ts'
import { credentialMayReceive } from '../access.ts'
import { endCredential, withdraw } from './access-lost.ts'
import { claim, type Claimed } from './claim.ts'
import type { EventRow } from '../event.ts'
import { post, type Attempt } from './post.ts'
import { postpone } from './postpone.ts'
import { record, type Outcome } from './record.ts'
import { pauseUnsent } from './retry-schedule.ts'
import { boundsOf } from '../subscriptions/subscription.ts'
import { resolvedFault, urlFault } from './target-guard.ts'
import { webhookRequest, type WebhookRequest } from './webhook-request.ts'

/** At least, after a fault of ours before sending: no attempt is used. */
const OUR_FAULT_PAUSE_MS = 30_000
/** Between tries to write down what came of an attempt. */
const RECORD_PAUSES_MS = [100, 500]
/** At least, after a name without an answer. */
const NO_ANSWER_PAUSE_MS = 60_000

/** A delivery in hand, and its event as it stands in the history. */
type InHand = Claimed & { message: EventRow }

/**
 * Makes one attempt for each delivery that is due. D1 is the truth, the queue only wakes: a message that comes twice,
 * early or late finds nothing to claim. A consumer that dies on the way leaves a lease, and the next one sends the
 * same `webhook-id` again.
 */
export async function deliver(system: System, db: Database, ids: readonly string[]): Promise<void> {
  const claimed = await claim(system, db, ids)
  const hands = claimed.map((one) => ({ ...one, message: { ...(JSON.parse(one.event) as EventRow), data: one.data } }))
  const note = groupCommit<Outcome>((outcomes) => persistently(() => record(system, db, outcomes)))
  const bySubscription = Map.groupBy(hands, (one) => one.subscription_id)
  await settleAll([...bySubscription.values()], (here) => deliverTo(system, db, here, note))
}

type Note = (outcome: Outcome) => Promise<void>

/** Deliveries of one subscription: its target is checked and its hub asked once for all of them. */
async function deliverTo(system: System, db: Database, hands: readonly InHand[], note: Note): Promise<void> {
  const { true: allowed = [], false: barred = [] } = Object.groupBy(hands, (one) => `${mayBeSent(one)}`)
  await settleAll(barred, (one) => (one.credential_lives ? withdraw(db, one) : endCredential(system, db, one)))
  const [first] = allowed
  if (!first) return
  const unsent = (leastMs: number, reason: string) => putOff(system, db, allowed, leastMs, reason)
  // Before places are taken: what is not sent leaves them to others.
  const checked = await checkTarget(system, first.url)
  if (checked === 'no_answer') return unsent(NO_ANSWER_PAUSE_MS, 'name_not_resolved')
  if (checked !== null) return settleAll(allowed, (one) => note(outcomeOf(system, one, refused(system, checked))))
  const waits = await takePlaces(system, first, allowed)
  if (waits === null) return unsent(OUR_FAULT_PAUSE_MS, 'not_sent')
  const waitOf = (one: InHand) => waits.get(one.delivery_id) ?? 0
  const later = allowed.filter((one) => waitOf(one) > 0)
  const now = allowed.filter((one) => waitOf(one) === 0)
  await settleAll(
    [
      () => postpone(system, db, later, waitOf, { booked: true }),
      ...now.map((one) => () => send(system, db, one, note)),
    ],
    (work) => work(),
  )
}

const putOff = (system: System, db: Database, ones: readonly InHand[], leastMs: number, reason: string) =>
  postpone(system, db, ones, (one) => pauseUnsent(leastMs, system.now() - one.delivery_created_at), { reason })

const mayBeSent = (one: InHand): boolean =>
  one.credential_lives === 1 && one.may_hear === 1 && credentialMayReceive(boundsOf(one), one.message)

async function checkTarget(system: System, url: string): Promise<string | null> {
  const { allowPrivateWebhooks, publicHosts } = system.config
  const fault = urlFault(url, publicHosts, allowPrivateWebhooks)
  if (fault) return fault
  return resolvedFault(url, system.resolver, allowPrivateWebhooks).catch(() => 'no_answer')
}

/** Milliseconds to wait, by delivery; null where the hub could not be asked. */
async function takePlaces(
  system: System,
  { routing_id, subscription_id }: InHand,
  hands: readonly InHand[],
): Promise<Map<string, number> | null> {
  const reserved = hands.map((one) => one.booked === 1)
  try {
    const waits = await system.hub(routing_id).reserveDeliveries(subscription_id, reserved)
    return new Map(hands.map((one, index) => [one.delivery_id, waits[index] ?? 0]))
  } catch (error) {
    system.log.error({ event: 'delivery.not_sent', subscription_id }, error)
    return null
  }
}

async function send(system: System, db: Database, one: InHand, note: Note): Promise<void> {
  let request: WebhookRequest
  try {
    request = await webhookRequest(system, one, one.message)
  } catch (error) {
    system.log.error({ event: 'delivery.not_sent', delivery_id: one.delivery_id }, error)
    return putOff(system, db, [one], OUR_FAULT_PAUSE_MS, 'not_sent')
  }
  const { url, headers, body } = request
  await note(outcomeOf(system, one, await post(system, url, headers, body)))
}

const outcomeOf = (system: System, one: InHand, attempt: Attempt): Outcome => ({
  ...attempt,
  one,
  type: one.message.type,
  attemptId: system.newId('att'),
})

/** After sending there is no way back: only a record that fails three times leaves deliveries to be sent again. */
async function persistently(write: () => Promise<void>): Promise<void> {
  for (const pauseMs of RECORD_PAUSES_MS) {
    try {
      return await write()
    } catch {
      await scheduler.wait(pauseMs)
    }
  }
  await write()
}

/** An attempt that the guard stopped: it counts, so that a target that moved into a private network ends as failed. */
const refused = (system: System, fault: string): Attempt => ({
  startedAt: system.now(),
  durationMs: 0,
  statusCode: null,
  error: fault,
  response: '',
  retryAfterMs: null,
})

/** Each to its end, whatever becomes of the others; then throws the first failure. */
async function settleAll<T>(list: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const settled = await Promise.allSettled(list.map(work))
  const failure = settled.find((one) => one.status === 'rejected')
  if (failure) throw failure.reason
}
