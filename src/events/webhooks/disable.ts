import type { System } from '../../core/context.ts'
import type { Database, Statement } from '../../core/database/database.ts'
import { joined, sql } from '../../core/database/sql.ts'
import { OPEN } from '../deliveries/delivery.ts'
import { notificationStatement } from '../notification.ts'
import type { SubscriptionRow } from '../subscriptions/subscription.ts'
import type { DisabledReason } from '../table.ts'
import { DAY_MS } from '../../core/values/durations.ts'

/** A subscription is disabled after failures alone for this long (contract §5). */
const FAILING_MS = 5 * DAY_MS

const MESSAGES: Record<DisabledReason, string> = {
  gone: 'A webhook was disabled: its receiver answered 410 Gone.',
  failing: 'A webhook was disabled: every attempt failed for five days.',
  credential_ended: 'A webhook was disabled: the credential that created it has ended.',
}

export type SubscriptionOwner = Pick<SubscriptionRow, 'tenant_id' | 'user_id'> & { subscription_id: string }

/**
 * The statements that disable a subscription; with `failingSince` only one that has failed for at least as long.
 * The notification comes first because it reads the old status. The subscription follows, then its pending deliveries.
 */
export function disable(
  system: System,
  db: Database,
  { subscription_id: id, tenant_id: tenantId, user_id: userId }: SubscriptionOwner,
  reason: DisabledReason,
  failingSince: number | null = null,
): Statement[] {
  const message = MESSAGES[reason]
  const failing = sql(
    `id = :id and status <> 'disabled' and deleted_at is null and (:failing_since is null or failing_since <= :failing_since)`,
    { id, failing_since: failingSince },
  )
  return [
    notificationStatement(
      { ...system, db },
      { tenantId, userId, code: 'subscription.disabled', message, about: { subscription_id: id, reason } },
      sql(`exists (select 1 from subscriptions where ${failing.sql})`, failing.params),
    ),
    db.statement(
      `update subscriptions set status = 'disabled', disabled_reason = :reason, updated_at = :now where ${failing.sql}`,
      joined({ reason, now: system.now() }, failing.params),
    ),
    db.statement(
      `update deliveries set status = 'waiting' where subscription_id = :id and ${OPEN} and status = 'pending'
         and exists (select 1 from subscriptions where id = :id and status = 'disabled')`,
      { id },
    ),
  ]
}

/** The statements that disable a subscription after a failure, if it has had nothing but failures for five days. */
export function disableFailing(
  system: System,
  db: Database,
  subscription: SubscriptionOwner & Pick<SubscriptionRow, 'failing_since'>,
): Statement[] {
  const since = system.now() - FAILING_MS
  if ((subscription.failing_since ?? Infinity) > since) return []
  return disable(system, db, subscription, 'failing', since)
}
