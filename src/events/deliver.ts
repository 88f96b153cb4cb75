import type { System } from '../core/context.ts'
import type { Database } from '../core/db.ts'
import { iso } from '../core/clock.ts'
import { credentialHears } from './access.ts'
import { claim, type Claimed } from './claim.ts'
import { toMessageText, type EventRow } from './event.ts'
import { post, type Attempt } from './post.ts'
import { endCredential, postpone, record, withdraw } from './record.ts'
import { customHeaders, signingSecrets } from './secrets.ts'
import { signatureHeaders } from './sign.ts'
import { boundsOf } from './subscription.ts'
import { resolvedFault, urlFault } from './target-guard.ts'

/** After a fault of ours before sending: no attempt is used. */
const OUR_FAULT_PAUSE_MS = 30_000
/** Between tries to write down what came of an attempt. */
const RECORD_PAUSES_MS = [100, 500]
/** After a name without an answer. */
const NO_ANSWER_PAUSE_MS = 60_000

/**
 * Makes one attempt for each delivery that is due. D1 is the truth, the queue only wakes: a message that comes twice,
 * early or late finds nothing to claim. A consumer that dies on the way leaves a lease, and the next one sends the
 * same `webhook-id` again.
 */
export async function deliver(system: System, db: Database, ids: readonly string[]): Promise<void> {
  const claimed = await claim(system, db, ids)
  const settled = await Promise.allSettled(claimed.map((one) => attempt(system, db, one)))
  const failure = settled.find((one) => one.status === 'rejected')
  if (failure) throw failure.reason
}

async function attempt(system: System, db: Database, one: Claimed): Promise<void> {
  const event = { ...(JSON.parse(one.event) as EventRow), data: one.data }
  if (!one.credential_lives) return endCredential(system, db, one)
  if (!one.may_hear || !credentialHears(boundsOf(one), event)) return withdraw(db, one)
  const checked = await checkTarget(system, one)
  if (checked === 'no_answer') {
    return postpone(system, db, one, { pauseMs: NO_ANSWER_PAUSE_MS, booked: false, reason: 'name_not_resolved' })
  }
  if (checked !== null) return finish(system, db, one, event, refused(system, checked))
  let request: Request
  try {
    const waitMs = await system.hub(one.routing_id).takeSlot(one.subscription_id, one.booked === 1)
    if (waitMs > 0) return await postpone(system, db, one, { pauseMs: waitMs, booked: true, reason: null })
    request = await prepare(system, one, event)
  } catch (error) {
    system.log.error({ event: 'delivery.not_sent', delivery_id: one.delivery_id }, error)
    return postpone(system, db, one, { pauseMs: OUR_FAULT_PAUSE_MS, booked: false, reason: 'not_sent' })
  }
  const { url, headers, body } = request
  await finish(system, db, one, event, await post(system, url, headers, body))
}

/** After sending there is no way back: only a record that fails three times leaves the delivery to be sent again. */
async function finish(system: System, db: Database, one: Claimed, event: EventRow, outcome: Attempt): Promise<void> {
  const attemptId = system.newId('att')
  const write = () => record(system, db, one, event.type, { ...outcome, id: attemptId })
  for (const pauseMs of RECORD_PAUSES_MS) {
    try {
      return await write()
    } catch {
      await scheduler.wait(pauseMs)
    }
  }
  await write()
}

interface Request {
  url: string
  headers: Record<string, string>
  body: string
}

/** The stored bytes of the event in the envelope of contract §5, signed for this attempt. */
async function prepare(system: System, one: Claimed, event: EventRow): Promise<Request> {
  const now = system.now()
  const body =
    `{"subscription_id":"${one.subscription_id}","events":[${toMessageText(event)}],` +
    `"timestamp":"${iso(one.delivery_created_at)}"}`
  const subscription = { ...one, id: one.subscription_id }
  const secrets = await signingSecrets(system, subscription, now)
  return {
    url: one.url,
    body,
    headers: {
      ...(await customHeaders(system, subscription)),
      'Content-Type': 'application/json',
      'User-Agent': 'Recollect-Webhook/1',
      ...signatureHeaders(secrets, one.delivery_id, now, body),
    },
  }
}

/** Before a place is taken: what is not sent leaves the place to others. */
async function checkTarget(system: System, { url }: Claimed): Promise<string | null> {
  const { allowPrivateWebhooks, publicHosts } = system.config
  const fault = urlFault(url, publicHosts, allowPrivateWebhooks)
  if (fault) return fault
  return resolvedFault(url, system.resolver, allowPrivateWebhooks).catch(() => 'no_answer')
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
