import type { System } from '../../core/context.ts'
import type { Database, Statement } from '../../core/database/database.ts'
import { isEphemeral } from '../catalog.ts'
import type { Claimed } from './claim.ts'
import { enqueueLater, FIRST_RESEND_MS } from './queue.ts'
import { disable } from './disable.ts'
import { enqueueEvents } from '../queue.ts'
import type { Attempt } from './post.ts'
import { pauseAfter } from './retry-schedule.ts'

/** Nothing but failures for this long disables the subscription (contract §5). */
export const FAILING_MS = 5 * 24 * 3_600_000

/** SQL: what becomes of a delivery that is due again. */
export const NEXT_STATUS = `case (select status from subscriptions where id = subscription_id) when 'active' then 'pending' else 'waiting' end`

/** What came of an attempt for a delivery; `attemptId` is the same however often it is written down. */
export interface Outcome extends Attempt {
  one: Claimed
  type: string
  attemptId: string
}

const LOG = `
  insert into delivery_attempts (id, tenant_id, delivery_id, number, started_at, duration_ms, status_code, error, response)
  select o.value ->> 'attemptId', d.tenant_id, d.id,
    1 + (select count(*) from delivery_attempts a where a.delivery_id = d.id), o.value ->> 'startedAt',
    o.value ->> 'durationMs', o.value ->> 'statusCode', o.value ->> 'error', o.value ->> 'response'
  from json_each(?1) o cross join deliveries d on d.id = o.value ->> 'id'
  where true on conflict (id) do nothing`

const SETTLE = `
  update deliveries set status = coalesce(o.status, ${NEXT_STATUS}), attempts = attempts + 1, next_attempt_at = o.next_at,
    resend_at = o.next_at + ${FIRST_RESEND_MS}, booked = 0, lease_id = null, last_status_code = o.status_code,
    last_error = o.error, delivered_at = o.delivered_at
  from (select value ->> 'id' as id, value ->> 'lease' as lease, value ->> 'status' as status,
    value ->> 'nextAt' as next_at, value ->> 'statusCode' as status_code, value ->> 'error' as error,
    value ->> 'deliveredAt' as delivered_at from json_each(?1)) o
  where deliveries.id = o.id and lease_id = o.lease returning deliveries.id, deliveries.status`

const HEALTH = `
  update subscriptions set failing_since = case when h.ok then null else coalesce(failing_since, h.since) end
  from (select value ->> 'id' as id, value ->> 'ok' as ok, value ->> 'since' as since from json_each(?1)) h
  where subscriptions.id = h.id and (failing_since is null) <> h.ok`

/**
 * Writes down what came of some attempts, of one delivery each: log, deliveries, and the health of their
 * subscriptions, in one commit. Safe to repeat.
 */
export async function record(system: System, db: Database, outcomes: readonly Outcome[]): Promise<void> {
  const pauses = new Map(outcomes.map((outcome) => [outcome.one.delivery_id, pauseOf(system, outcome)]))
  const rows = JSON.stringify(outcomes.map((outcome) => rowOf(system, outcome, pauses.get(outcome.one.delivery_id))))
  const bySubscription = [...Map.groupBy(outcomes, ({ one }) => one.subscription_id).values()]
  const [, settled, , ...ends] = await db.batch<[never, Settled, never, ...{ id: string }[]]>([
    db.statement(LOG, rows),
    db.statement(SETTLE, rows),
    db.statement(HEALTH, JSON.stringify(bySubscription.map(healthOf))),
    ...bySubscription.flatMap((here) => disableAfter(system, db, here)),
  ])
  const statusOf = new Map(settled.map(({ id, status }) => [id, status]))
  for (const outcome of outcomes) logAttempt(system, outcome, statusOf.get(outcome.one.delivery_id))
  await enqueueEvents(system, ends.flat())
  const due = settled.filter(({ status }) => status === 'pending')
  await enqueueLater(
    system,
    due.map(({ id }) => ({ id, pauseMs: pauses.get(id) ?? 0 })),
  )
}

interface Settled {
  id: string
  status: string
}

/** Milliseconds until the next attempt; null: there is none. */
function pauseOf(system: System, { one, type, error, statusCode, retryAfterMs }: Outcome): number | null {
  if (error === null || statusCode === 410 || isEphemeral(type)) return null
  return pauseAfter(one.attempts + 1, retryAfterMs, (system.random(1)[0] ?? 0) / 255)
}

function rowOf(system: System, { one, ...outcome }: Outcome, pauseMs: number | null = null) {
  const { attemptId, startedAt, durationMs, statusCode, error, response } = outcome
  return {
    id: one.delivery_id,
    lease: one.lease_id,
    // Null: due again, where the subscription is not paused by now.
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

/** A success ends the run of failures, whatever else failed at the same time. */
const healthOf = (outcomes: readonly Outcome[]) => ({
  id: outcomes[0]?.one.subscription_id,
  ok: outcomes.some(({ error }) => error === null),
  since: Math.min(...outcomes.map(({ startedAt }) => startedAt)),
})

/** What failures mean for their subscription: 410 ends it at once, five days of nothing else end it too. */
function disableAfter(system: System, db: Database, outcomes: readonly Outcome[]): Statement[] {
  const gone = outcomes.find(({ statusCode }) => statusCode === 410)
  if (gone) return disable(system, db, gone.one, 'gone')
  const [first] = outcomes
  const since = system.now() - FAILING_MS
  if (!first || healthOf(outcomes).ok || (first.one.failing_since ?? Infinity) > since) return []
  return disable(system, db, first.one, 'failing', since)
}

const logAttempt = (system: System, { one, ...outcome }: Outcome, status: string | undefined): void =>
  system.log.info({
    event: 'delivery.attempt',
    delivery_id: one.delivery_id,
    subscription_id: one.subscription_id,
    attempt: one.attempts + 1,
    status_code: outcome.statusCode,
    error: outcome.error,
    duration_ms: outcome.durationMs,
    outcome: status ?? 'lease_lost',
  })
