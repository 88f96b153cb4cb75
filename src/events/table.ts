import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** Instants are milliseconds since 1970; JSON columns hold text. */

/** SQL: the event holds what a user wrote. Each text is the condition of an index, and a query repeats it word for word. */
export const NAMED = `(namespace <> 'default' or conversation_id is not null or (channel <> 'memory' and data <> '{}'))`
export const PUBLISHED = `channel <> 'memory' and data <> '{}' and actor <> 'system'`
export const NAMED_PRIVATE = `visibility = 'private' and (namespace <> 'default' or conversation_id is not null)`
export const NOTICE = `channel = 'system' and data <> '{}'`

/** Outbox and history in one: a row is committed with its cause and read by resume (architecture §5). */
export const events = sqliteTable(
  'events',
  {
    id: text().primaryKey(),
    tenant_id: text().notNull(),
    type: text().notNull(),
    channel: text().notNull(),
    /** Of `project_id`, or as published; null where the event goes to `targets` alone. */
    workspace_id: text(),
    project_id: text(),
    namespace: text(),
    scope: text(),
    conversation_id: text(),
    /** Of the item, also after its deletion; other events are `project`. */
    visibility: text({ enum: ['project', 'private'] })
      .notNull()
      .default('project'),
    creator: text(),
    /** JSON array of the user ids with a grant on a private item. */
    readers: text().notNull().default('[]'),
    /** The cause: a user id, or `system`. */
    actor: text().notNull(),
    /** JSON array of user ids that narrows the recipients, or null. */
    targets: text(),
    /** JSON object of at most 32 KiB, sent byte for byte. */
    data: text().notNull(),
    created_at: integer().notNull(),
    /** Start of the last fan-out; the order of resume. */
    fanned_out_at: integer(),
    /** JSON array of routing ids: the hubs that the last fan-out did not reach. The next one is for them alone. */
    unreached: text(),
    /** End of the complete fan-out. Until then the sweep sends the event again. */
    settled_at: integer(),
    resend_at: integer().notNull(),
    resends: integer().notNull().default(0),
    /** The row is erased after this instant: 30 days, or the life of a typing event. */
    expires_at: integer().notNull(),
  },
  (t) => [
    index('events_by_history').on(t.tenant_id, t.fanned_out_at, t.id),
    index('events_unsettled')
      .on(t.resend_at)
      .where(sql`settled_at is null`),
    index('events_by_expiry').on(t.expires_at),
    /** For `eventAccessStatement`. */
    index('events_by_item')
      .on(sql`data ->> 'memory_id'`)
      .where(sql`channel = 'memory'`),
    /** A notification of one user. */
    index('events_to_one')
      .on(t.targets, t.created_at)
      .where(sql`channel = 'system'`),
    // For `emptyEvents`. An emptied event leaves them.
    index('events_named').on(t.workspace_id, t.project_id).where(sql.raw(NAMED)),
    index('events_published').on(t.actor).where(sql.raw(PUBLISHED)),
    index('events_private').on(t.creator).where(sql.raw(NAMED_PRIVATE)),
    index('events_notices').on(t.tenant_id).where(sql.raw(NOTICE)),
  ],
)

export const SUBSCRIPTION_STATUSES = ['active', 'paused', 'disabled'] as const
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number]

export const DISABLED_REASONS = ['gone', 'failing', 'credential_ended'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

export const subscriptions = sqliteTable(
  'subscriptions',
  {
    id: text().primaryKey(),
    tenant_id: text().notNull(),
    /** The owner. `routing_id` is that of the owner's hub, which reserves the deliveries. */
    user_id: text().notNull(),
    routing_id: text().notNull(),
    /** The credential that made the subscription and bounds it for life. */
    credential_kind: text({ enum: ['key', 'access', 'session'] }).notNull(),
    credential_id: text().notNull(),
    grant_id: text(),
    scopes: text().notNull(),
    permissions: text(),
    channels: text().notNull(),
    /** JSON array of types; empty: all types of the channels. */
    event_types: text().notNull(),
    filters: text().notNull(),
    url: text().notNull(),
    /** Sealed JSON of the custom headers, or null. */
    headers: text(),
    /** Sealed signing secret. */
    secret: text().notNull(),
    previous_secret: text(),
    /** Until this instant the previous secret signs too. */
    previous_until: integer(),
    status: text({ enum: SUBSCRIPTION_STATUSES }).notNull(),
    disabled_reason: text({ enum: DISABLED_REASONS }),
    /** Start of the current run of failures; null after a success, and after a resume. */
    failing_since: integer(),
    /** The attempt that started last. `status_code`: of its response. `error`: null after a success. */
    last_attempt_at: integer(),
    last_attempt_status_code: integer(),
    last_attempt_error: text(),
    last_success_at: integer(),
    /** When the owner was notified that deliveries expired. */
    expiry_notified_at: integer(),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
    deleted_at: integer(),
  },
  (t) => [
    index('subscriptions_by_tenant').on(t.tenant_id, t.user_id, t.created_at),
    index('subscriptions_by_credential').on(t.credential_id),
    index('subscriptions_by_grant').on(t.grant_id),
  ],
)

export const DELIVERY_STATUSES = ['waiting', 'pending', 'sending', 'delivered', 'failed', 'expired'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

export const deliveries = sqliteTable(
  'deliveries',
  {
    /** The `webhook-id`: the same in every attempt, retry and recovery. */
    id: text().primaryKey(),
    tenant_id: text().notNull(),
    subscription_id: text().notNull(),
    event_id: text().notNull(),
    event_type: text().notNull(),
    status: text({ enum: DELIVERY_STATUSES }).notNull(),
    attempts: integer().notNull().default(0),
    next_attempt_at: integer().notNull(),
    /** 1: the delivery holds a reservation of the hub for `next_attempt_at`. */
    booked: integer().notNull().default(0),
    /** After this instant the queue message counts as lost, and the sweep sends another. */
    resend_at: integer().notNull(),
    /** Of the consumer that sends it. After `lease_until` another may claim it. */
    lease_id: text(),
    lease_until: integer(),
    last_status_code: integer(),
    last_error: text(),
    created_at: integer().notNull(),
    delivered_at: integer(),
    /** A delivery that is not sent by then is `expired`. */
    expires_at: integer().notNull(),
  },
  (t) => [
    uniqueIndex('deliveries_by_event').on(t.subscription_id, t.event_id),
    index('deliveries_by_subscription').on(t.subscription_id, t.created_at, t.id),
    index('deliveries_to_resend')
      .on(t.resend_at)
      .where(sql`status in ('pending', 'sending')`),
    index('deliveries_to_expire')
      .on(t.expires_at)
      .where(sql`status in ('waiting', 'pending', 'sending')`),
    index('deliveries_open')
      .on(t.subscription_id, t.status)
      .where(sql`status in ('waiting', 'pending', 'sending')`),
    index('deliveries_by_age').on(t.created_at),
  ],
)

export const delivery_attempts = sqliteTable(
  'delivery_attempts',
  {
    id: text().primaryKey(),
    tenant_id: text().notNull(),
    delivery_id: text().notNull(),
    /** 1 for the first. Retries and recoveries count on. */
    number: integer().notNull(),
    started_at: integer().notNull(),
    duration_ms: integer().notNull(),
    /** Of the response; null where none came. */
    status_code: integer(),
    error: text(),
    /** The beginning of the response. */
    response: text().notNull(),
  },
  (t) => [
    index('delivery_attempts_by_delivery').on(t.delivery_id, t.number),
    index('delivery_attempts_by_age').on(t.started_at),
  ],
)
