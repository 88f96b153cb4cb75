import { countOutcome } from '../../audit/index.ts'
import type { System } from '../../core/context.ts'
import type { Database, Statement } from '../../core/database/database.ts'
import type { DeliveryRow } from '../deliveries/delivery.ts'
import { isEmptied } from '../erasure.ts'
import { enqueueEvents } from '../queue.ts'
import { isEphemeral } from '../typing.ts'
import type { ClaimedDelivery } from './claim.ts'
import { disable, disableFailing } from './disable.ts'
import type { AttemptResult } from './post.ts'
import { enqueueLater, FIRST_RESEND_MS } from './queue.ts'
import { pauseAfter } from './retry-schedule.ts'
import type { OutboxRow } from '../outbox.ts'

/** SQL: the status of a delivery that is scheduled again. */
export const NEXT_STATUS = `case (select status from subscriptions where id = subscription_id) when 'active' then 'pending' else 'waiting' end`

/** An attempt that was made for a delivery. `attemptId` stays the same however often the attempt is recorded. */
export interface DeliveryAttempt extends AttemptResult {
  delivery: ClaimedDelivery
  attemptId: string
}

/** A receiver may answer what it was sent, so the answer is not kept where the event was emptied while it was under way. */
const LOG = `
  insert into delivery_attempts (id, tenant_id, delivery_id, number, started_at, duration_ms, status_code, error, response)
  select a.value ->> 'attemptId', d.tenant_id, d.id,
    1 + (select count(*) from delivery_attempts earlier where earlier.delivery_id = d.id), a.value ->> 'startedAt',
    a.value ->> 'durationMs', a.value ->> 'statusCode', a.value ->> 'error',
    iif(exists (select 1 from events e where e.id = d.event_id and ${isEmptied('e')}), '', a.value ->> 'response')
  from json_each(:attempts) a cross join deliveries d on d.id = a.value ->> 'id'
  where true on conflict (id) do nothing`

const SETTLE = `
  update deliveries set status = coalesce(a.status, ${NEXT_STATUS}), attempts = attempts + 1, next_attempt_at = a.next_at,
    resend_at = a.next_at + ${FIRST_RESEND_MS}, booked = 0, lease_id = null, last_status_code = a.status_code,
    last_error = a.error, delivered_at = a.delivered_at
  from (select value ->> 'id' as id, value ->> 'lease' as lease, value ->> 'status' as status,
    value ->> 'nextAt' as next_at, value ->> 'statusCode' as status_code, value ->> 'error' as error,
    value ->> 'deliveredAt' as delivered_at from json_each(:attempts)) a
  where deliveries.id = a.id and lease_id = a.lease returning deliveries.id, deliveries.status`

const IS_LAST = `h.at >= coalesce(last_attempt_at, 0)`

/** A failure that started before the last success begins no run, and a success ends none that began after it. */
const HEALTH = `
  update subscriptions set
    failing_since = case when h.ok then iif(failing_since > h.succeeded_at, failing_since, null) when h.at <= last_success_at then failing_since
      else coalesce(failing_since, max(h.since, coalesce(last_success_at, 0))) end,
    last_success_at = iif(h.ok, max(h.succeeded_at, coalesce(last_success_at, 0)), last_success_at),
    last_attempt_at = iif(${IS_LAST}, h.at, last_attempt_at),
    last_attempt_status_code = iif(${IS_LAST}, h.status_code, last_attempt_status_code),
    last_attempt_error = iif(${IS_LAST}, h.error, last_attempt_error)
  from (select value ->> 'id' as id, value ->> 'ok' as ok, value ->> 'since' as since,
    value ->> 'succeededAt' as succeeded_at, value ->> 'at' as at, value ->> 'statusCode' as status_code,
    value ->> 'error' as error from json_each(:health)) h
  where subscriptions.id = h.id`

/**
 * Records attempts of different deliveries in one commit: the attempt log, the deliveries and the health of their
 * subscriptions. Safe to repeat.
 */
export async function record(system: System, db: Database, attempts: readonly DeliveryAttempt[]): Promise<void> {
  const pauses = new Map(attempts.map((attempt) => [attempt.delivery.delivery_id, pauseOf(system, attempt)]))
  const rows = JSON.stringify(attempts.map((one) => rowOf(system, one, pauses.get(one.delivery.delivery_id))))
  const bySubscription = [...Map.groupBy(attempts, ({ delivery }) => delivery.subscription_id).values()]
  const [, settled, , ...others] = await db.batch<[never, SettledRow, never, ...OutboxRow[]]>([
    db.statement(LOG, { attempts: rows }),
    db.statement(SETTLE, { attempts: rows }),
    db.statement(HEALTH, { health: JSON.stringify(bySubscription.map(healthOf)) }),
    ...bySubscription.flatMap((own) => disableAfter(system, db, own)),
  ])
  const statusOf = new Map(settled.map(({ id, status }) => [id, status]))
  for (const attempt of attempts) {
    const outcome = statusOf.get(attempt.delivery.delivery_id) ?? 'lease_lost'
    countOutcome(system, { family: 'delivery', labels: [outcome], durationMs: attempt.durationMs })
    logAttempt(system, attempt, outcome)
  }
  await enqueueEvents(system, db, others.flat())
  const pending = settled.filter(({ status }) => status === 'pending')
  await enqueueLater(
    system,
    db,
    pending.map(({ id }) => ({ id, pauseMs: pauses.get(id) ?? 0 })),
  )
}

type SettledRow = Pick<DeliveryRow, 'id' | 'status'>

/** Milliseconds until the next attempt; null where this one was the last. */
function pauseOf(system: System, { delivery, error, statusCode, retryAfterMs }: DeliveryAttempt): number | null {
  if (error === null || statusCode === 410 || isEphemeral(delivery.event.type)) return null
  return pauseAfter(delivery.attempts + 1, retryAfterMs, (system.random(1)[0] ?? 0) / 255)
}

function rowOf(system: System, { delivery, ...attempt }: DeliveryAttempt, pauseMs: number | null = null) {
  const { attemptId, startedAt, durationMs, statusCode, error, response } = attempt
  return {
    id: delivery.delivery_id,
    lease: delivery.lease_id,
    // Null: `NEXT_STATUS`, which depends on the subscription at the commit.
    status: error === null ? 'delivered' : pauseMs === null ? 'failed' : null,
    nextAt: system.now() + (pauseMs ?? 0),
    deliveredAt: error === null ? system.now() : null,
    attemptId,
    startedAt,
    durationMs,
    statusCode,
    error,
    response,
  }
}

/** One success ends the run of failures, whatever failed at the same time. */
function healthOf(attempts: readonly DeliveryAttempt[]) {
  const successes = attempts.filter(({ error }) => error === null)
  const last = attempts.reduce((newest, one) => (one.startedAt >= newest.startedAt ? one : newest))
  return {
    id: last.delivery.subscription_id,
    ok: successes.length > 0,
    since: Math.min(...attempts.map(({ startedAt }) => startedAt)),
    succeededAt: Math.max(...successes.map(({ startedAt, durationMs }) => startedAt + durationMs)),
    at: last.startedAt,
    statusCode: last.statusCode,
    error: last.error,
  }
}

/** The answer 410 disables the subscription at once, and a long run of failures disables it too. */
function disableAfter(system: System, db: Database, attempts: readonly DeliveryAttempt[]): Statement[] {
  const gone = attempts.find(({ statusCode }) => statusCode === 410)
  if (gone) return disable(system, db, gone.delivery, 'gone')
  const [first] = attempts
  return first && !healthOf(attempts).ok ? disableFailing(system, db, first.delivery) : []
}

const logAttempt = (system: System, { delivery, ...attempt }: DeliveryAttempt, outcome: string): void =>
  system.log.info({
    event: 'delivery.attempt',
    delivery_id: delivery.delivery_id,
    subscription_id: delivery.subscription_id,
    attempt: delivery.attempts + 1,
    status_code: attempt.statusCode,
    error: attempt.error,
    duration_ms: attempt.durationMs,
    outcome,
  })
