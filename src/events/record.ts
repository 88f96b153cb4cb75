import type { System } from '../core/context.ts'
import type { Database, Statement } from '../core/db.ts'
import { isEphemeral } from './catalog.ts'
import type { Claimed } from './claim.ts'
import { OPEN } from './delivery.ts'
import { enqueueDeliveries, FIRST_RESEND_MS } from './delivery-queue.ts'
import { enqueueEvents, notificationStatement } from './outbox.ts'
import type { Attempt } from './post.ts'
import { pauseAfter } from './schedule.ts'
import type { DisabledReason } from './table.ts'

/** Nothing but failures for this long disables the subscription (contract §5). */
export const FAILING_MS = 5 * 24 * 3_600_000

/** SQL: what becomes of a delivery that is due again. */
export const NEXT_STATUS = `case (select status from subscriptions where id = subscription_id) when 'active' then 'pending' else 'waiting' end`

/** The owner may not hear this event any more: it is not sent, now or later. */
export const withdraw = async (db: Database, one: Claimed): Promise<void> => {
  await db.write(
    `update deliveries set status = 'failed', lease_id = null, last_error = 'access_lost' where id = ? and lease_id = ?`,
    one.delivery_id,
    one.lease_id,
  )
}

/** The credential that made the subscription has ended: the subscription goes with it. */
export async function endCredential(system: System, db: Database, one: Claimed): Promise<void> {
  const ended = await db.batch<{ id: string }[]>([
    db.statement(
      `update deliveries set status = 'failed', lease_id = null, last_error = 'credential_ended' where id = ? and lease_id = ?`,
      one.delivery_id,
      one.lease_id,
    ),
    ...disable(system, db, one, 'credential_ended'),
  ])
  await enqueueEvents(system, ended[1] ?? [])
}

/** An attempt on its way into the log: under one id, however often it is written. */
type LoggedAttempt = Attempt & { id: string }

/** Writes down what came of an attempt: log, delivery, and the subscription's health, in one commit. Safe to repeat. */
export async function record(
  system: System,
  db: Database,
  one: Claimed,
  type: string,
  outcome: LoggedAttempt,
): Promise<void> {
  const { delivery_id: id, subscription_id: subscription } = one
  const ok = outcome.error === null
  const retryable = !ok && outcome.statusCode !== 410 && !isEphemeral(type)
  const pauseMs = retryable ? pauseAfter(one.attempts + 1, outcome.retryAfterMs, randomOf(system)) : null
  const nextAt = system.now() + (pauseMs ?? 0)
  const status = ok ? `'delivered'` : pauseMs === null ? `'failed'` : NEXT_STATUS
  const [, [settled], , notices] = await db.batch<[never, { status: string }, never, { id: string }]>([
    logStatement(db, one, outcome),
    db.statement(
      `update deliveries set status = ${status}, attempts = attempts + 1, next_attempt_at = ?3, resend_at = ?4,
         booked = 0, lease_id = null, last_status_code = ?5, last_error = ?6, delivered_at = ?7
       where id = ?1 and lease_id = ?2 returning status`,
      id,
      one.lease_id,
      nextAt,
      nextAt + FIRST_RESEND_MS,
      outcome.statusCode,
      outcome.error,
      ok ? system.now() : null,
    ),
    db.statement(
      `update subscriptions set failing_since = case when ?2 then null else coalesce(failing_since, ?3) end
       where id = ?1 and (failing_since is null) <> ?2`,
      subscription,
      Number(ok),
      outcome.startedAt,
    ),
    ...(ok ? [] : disableAfter(system, db, one, outcome)),
  ])
  system.log.info({
    event: 'delivery.attempt',
    delivery_id: id,
    subscription_id: subscription,
    attempt: one.attempts + 1,
    status_code: outcome.statusCode,
    error: outcome.error,
    duration_ms: outcome.durationMs,
    outcome: settled?.status ?? 'lease_lost',
  })
  await enqueueEvents(system, notices ?? [])
  if (settled?.status === 'pending') await enqueueDeliveries(system, [{ id }], pauseMs ?? 0)
}

const logStatement = (db: Database, one: Claimed, outcome: LoggedAttempt): Statement =>
  db.statement(
    `insert into delivery_attempts (id, tenant_id, delivery_id, number, started_at, duration_ms, status_code, error, response)
     select ?1, tenant_id, id, 1 + (select count(*) from delivery_attempts a where a.delivery_id = d.id), ?3, ?4, ?5, ?6, ?7
     from deliveries d where id = ?2 on conflict (id) do nothing`,
    outcome.id,
    one.delivery_id,
    outcome.startedAt,
    outcome.durationMs,
    outcome.statusCode,
    outcome.error,
    outcome.response,
  )

/** What a failure means for its subscription: 410 ends it at once, five days of nothing else end it too. */
function disableAfter(system: System, db: Database, one: Claimed, outcome: Attempt): Statement[] {
  if (outcome.statusCode === 410) return disable(system, db, one, 'gone')
  const since = system.now() - FAILING_MS
  return (one.failing_since ?? Infinity) <= since ? disable(system, db, one, 'failing', since) : []
}

const WHY: Record<DisabledReason, string> = {
  gone: 'A webhook was disabled: its receiver answered 410 Gone.',
  failing: 'A webhook was disabled: for five days every attempt failed.',
  credential_ended: 'A webhook was disabled: the credential that made it has ended.',
}

/**
 * The statements that disable a subscription, only if it has been failing since `failingSince` where that is given:
 * the owner's notification first, as its condition is that the subscription is not disabled yet; then the row; then
 * what was in line waits.
 */
export function disable(
  system: System,
  db: Database,
  one: { tenant_id: string; user_id: string; subscription_id: string },
  reason: DisabledReason,
  failingSince = Number.MAX_SAFE_INTEGER,
): Statement[] {
  const { subscription_id: id, tenant_id: tenantId, user_id: userId } = one
  const condition = (since: string) =>
    `status <> 'disabled' and deleted_at is null and coalesce(failing_since, 0) <= ${since}`
  return [
    notificationStatement(
      { ...system, db },
      { tenantId, userId, code: 'subscription.disabled', message: WHY[reason], about: { subscription_id: id, reason } },
      `exists (select 1 from subscriptions where id = ? and ${condition('?')})`,
      id,
      failingSince,
    ),
    db.statement(
      `update subscriptions set status = 'disabled', disabled_reason = ?2, updated_at = ?3
       where id = ?1 and ${condition('?4')}`,
      id,
      reason,
      system.now(),
      failingSince,
    ),
    db.statement(
      `update deliveries set status = 'waiting' where subscription_id = ?1 and ${OPEN} and status = 'pending'
         and exists (select 1 from subscriptions where id = ?1 and status = 'disabled')`,
      id,
    ),
  ]
}

const randomOf = (system: System): number => (system.random(1)[0] ?? 0) / 255
