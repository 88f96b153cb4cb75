import { z } from '@hono/zod-openapi'
import { apiResource, insufficientScope } from '../../auth/index.ts'
import { iso } from '../../core/values/clock.ts'
import type { AuthContext } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { idOf, name, timestamp } from '../../core/http/fields.ts'
import { wholeOrShort } from '../../core/http/written.ts'
import { channelName, FILTER_KEYS, typeName } from '../catalog.ts'
import { MAX_EVENT_FILTER_CHARACTERS, type Interest } from '../match.ts'
import { DISABLED_REASONS, SUBSCRIPTION_STATUSES, type subscriptions } from '../table.ts'
import { SAMPLE_IDS, SAMPLE_TIME } from '../../core/sample.ts'
import { healthFields, healthOf, SAMPLE_HEALTH, waitingOf } from './health.ts'

export type SubscriptionRow = typeof subscriptions.$inferSelect

const KEY_LIVES = `(k.revoked_at is null or k.revoked_at > :now) and (k.expires_at is null or k.expires_at > :now)`

/** SQL: whether the credential that made the subscription `s` lives `:now`. A rotated key lives on in its successors. */
export const CREDENTIAL_LIVES = `
  case s.credential_kind
    when 'key' then exists (select 1 from api_keys k where k.id = s.credential_id and ${KEY_LIVES})
      or exists (
        with recursive successor(id) as (
          select s.credential_id
          union select r.rotated_to from successor cross join api_keys r on r.id = successor.id
            where r.rotated_to is not null)
        select 1 from successor cross join api_keys k on k.id = successor.id where ${KEY_LIVES})
    when 'access' then exists (select 1 from oauth_grants g where g.id = s.grant_id and g.revoked_at is null)
    else 1 end`

/** SQL: whether the subscription `s` gets deliveries, to be sent at once or on resume. */
export const SUBSCRIPTION_MAY_RECEIVE = `
  s.deleted_at is null and s.disabled_reason is not 'credential_ended' and ${CREDENTIAL_LIVES}`

/** SQL: whether the subscription `s` delivers nothing, and its owner can do something about it. */
export const DELIVERS_NOTHING = `
  (s.status = 'active' and s.failing_since is not null or s.disabled_reason in ('gone', 'failing')) and ${CREDENTIAL_LIVES}`

type Filters = Interest['filters']

export const interestOf = (row: Pick<SubscriptionRow, 'channels' | 'event_types' | 'filters'>): Interest => ({
  channels: JSON.parse(row.channels) as string[],
  types: JSON.parse(row.event_types) as string[],
  filters: JSON.parse(row.filters) as Filters,
})

export const subscriptionFields = {
  channels: z.array(channelName).min(1).max(32),
  events: z.array(typeName).max(64),
  filters: z.strictObject(
    Object.fromEntries(FILTER_KEYS.map((key) => [key, name(MAX_EVENT_FILTER_CHARACTERS).optional()])),
  ),
}

export const SubscriptionSchema = z
  .object({
    subscription_id: idOf('sub'),
    channels: z.array(z.string()),
    events: z.array(z.string()).meta({ description: 'Empty: all types on the channels.' }),
    filters: z.record(z.string(), z.string()),
    delivery: z.object({ method: z.literal('webhook'), url: z.string() }),
    created_at: timestamp,
    status: z.enum(SUBSCRIPTION_STATUSES),
    disabled_reason: z.enum(DISABLED_REASONS).optional(),
    ...healthFields,
  })
  .openapi('Subscription')
export type Subscription = z.infer<typeof SubscriptionSchema>

/** What a write answers of a subscription. */
export const SubscriptionOrWritten = wholeOrShort('Subscription', SubscriptionSchema, ['subscription_id', 'created_at'])

export const SAMPLE_SUBSCRIPTION: Subscription = {
  subscription_id: SAMPLE_IDS.subscription,
  channels: ['conversation', 'memory'],
  events: ['message.new', 'memory.created'],
  filters: { conversation_id: 'chat-17' },
  delivery: { method: 'webhook', url: 'https://example.com/hooks/recollect' },
  created_at: SAMPLE_TIME,
  status: 'active',
  ...SAMPLE_HEALTH,
}

/** A row, and whether its credential lives. An ended credential shows as disabled at once, before the sweep stores it. */
export interface CheckedSubscription extends SubscriptionRow {
  credential_lives: number
}

/** A row with all that an answer shows. */
export interface AnsweredSubscription extends CheckedSubscription {
  /** Deliveries that are not settled. Those of an answer alone are counted. */
  waiting: number
}

export function toSubscription(row: AnsweredSubscription): Subscription {
  const reason = row.credential_lives ? row.disabled_reason : 'credential_ended'
  return {
    subscription_id: row.id,
    channels: JSON.parse(row.channels) as string[],
    events: JSON.parse(row.event_types) as string[],
    filters: JSON.parse(row.filters) as Record<string, string>,
    delivery: { method: 'webhook', url: row.url },
    created_at: iso(row.created_at),
    status: row.credential_lives ? row.status : 'disabled',
    ...(reason === null ? {} : { disabled_reason: reason }),
    ...healthOf(row),
  }
}

/**
 * SQL: the subscriptions `s` that the caller reaches, which are the user's own. A key that is limited to projects reaches those
 * that it made, an access token those of its grant. Its values are `ownValues`.
 */
export const OWN = `s.tenant_id = :tenant and s.user_id = :caller and s.deleted_at is null
  and (:made_by is null or s.credential_id = :made_by or s.grant_id = :made_by)`

export function ownValues({ principal }: AuthContext) {
  const { credential, permissions, tenantId, userId } = principal
  const keyId = permissions === null ? null : credential.id
  return { tenant: tenantId, caller: userId, made_by: credential.kind === 'access' ? credential.grantId : keyId }
}

/** SQL: the columns of `CheckedSubscription`. */
const CHECKED_COLUMNS = `s.*, ${CREDENTIAL_LIVES} as credential_lives`
/** SQL: the columns of `AnsweredSubscription`. */
export const ANSWERED_COLUMNS = `${CHECKED_COLUMNS}, ${waitingOf('s.id')} as waiting`

const oneOwn = (columns: string): string => `select ${columns} from subscriptions s where ${OWN} and s.id = :id`
const CHECKED = oneOwn(CHECKED_COLUMNS)
const ANSWERED = oneOwn(ANSWERED_COLUMNS)

/** A subscription of the caller; 404 for other ids. */
export const ownSubscription = (ctx: AuthContext, id: string): Promise<CheckedSubscription> => read(ctx, id, CHECKED)

/** The same, to be answered. */
export const answeredSubscription = (ctx: AuthContext, id: string): Promise<AnsweredSubscription> =>
  read<AnsweredSubscription>(ctx, id, ANSWERED)

async function read<Row extends CheckedSubscription>(ctx: AuthContext, id: string, text: string): Promise<Row> {
  ctx.trail.resourceIds = [id]
  const row = await ctx.db.first<Row>(text, { ...ownValues(ctx), now: ctx.now(), id })
  if (!row) throw notFound('subscription', id)
  return row
}

/**
 * A subscription of the caller that the credential could have made: 403 for the channel `memory` without `read:memory`.
 * Every operation that changes it, reads its secret or makes it send something needs this.
 */
export async function manageableSubscription(ctx: AuthContext, id: string): Promise<CheckedSubscription> {
  const row = await ownSubscription(ctx, id)
  requireMemoryScope(ctx, ctx.principal.scopes, JSON.parse(row.channels) as string[])
  return row
}

export const needsMemoryScope = (scopes: readonly string[], channels: readonly string[]): boolean =>
  channels.includes('memory') && !scopes.includes('read:memory')

/** The channel `memory` also needs `read:memory`. */
export function requireMemoryScope(
  { client }: Pick<AuthContext, 'client'>,
  scopes: readonly string[],
  channels: readonly string[],
): void {
  if (!needsMemoryScope(scopes, channels)) return
  const detail = 'The channel memory also needs the scope read:memory.'
  throw insufficientScope(apiResource(client.origin), ['read:memory'], detail)
}
