import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import { MAX_COUNTED_DELIVERIES, type DeliverySeries, type Subscription } from '../../events/index.ts'
import { Badge, Notice, Time } from '../components/elements.tsx'
import { stepsOf } from '../usage/series.ts'
import type { PageContext } from '../page-context.ts'
import { answerInWords } from './delivery-status.tsx'
import { DISABLED_REASON, SUBSCRIPTION_STATUS } from './labels.ts'

/** Webhooks that the notice of the overview names. */
const MAX_NAMED = 3

const neverDelivered = ({ failing_since, last_success_at }: Subscription): boolean =>
  failing_since === null && last_success_at === null

/** Whether events arrive: the status, and of an active webhook what became of its attempts. */
export const HealthBadge: FC<{ subscription: Subscription }> = ({ subscription }) => {
  const { status, failing_since } = subscription
  if (status === 'active' && failing_since !== null)
    return (
      <Badge tone="warn">
        <span>
          Failing since <Time at={failing_since} absolute />
        </span>
      </Badge>
    )
  if (status === 'active' && neverDelivered(subscription)) return <Badge>Never delivered</Badge>
  const { label, tone } = SUBSCRIPTION_STATUS[status]
  return <Badge tone={tone}>{label}</Badge>
}

export const LastAttempt: FC<{ attempt: Subscription['last_attempt'] }> = ({ attempt }) =>
  attempt === null ? (
    <>None yet</>
  ) : (
    <>
      {answerInWords(attempt)}, <Time at={attempt.at} />
    </>
  )

/** `1,000 or more` where the API counts no further. */
export const waitingInWords = (waiting: number): string =>
  waiting === MAX_COUNTED_DELIVERIES ? `${MAX_COUNTED_DELIVERIES.toLocaleString('en')} or more` : String(waiting)

/** The deliveries of the last 24 hours, of one webhook or of the newest ones. */
export function readLastDay(ctx: PageContext, subscriptionId?: string): Promise<DeliverySeries> {
  const now = ctx.system.now()
  return ctx.api.get<DeliverySeries>('/v1/events/delivery-series', {
    since: stepsOf('day', now)[0],
    until: new Date(now + 1).toISOString(),
    step: 'hour',
    subscription_id: subscriptionId,
  })
}

/** How many deliveries of the last day arrived; a truncated answer says nothing of a webhook that it leaves out. */
export function successOf({ data, truncated }: DeliverySeries, id: string): string {
  const own = data.filter(({ subscription_id }) => subscription_id === id)
  if (own.length === 0) return truncated ? '–' : 'No events'
  const delivered = own.reduce((sum, point) => sum + point.delivered, 0)
  const others = own.reduce((sum, point) => sum + point.failed + point.expired + point.open, 0)
  return `${delivered} of ${delivered + others} delivered`
}

/** What the owner of a webhook has to know about it; nothing where it works. */
export const HealthNotice: FC<{ subscription: Subscription }> = ({ subscription }) => {
  const { disabled_reason: reason, status, failing_since, last_attempt, waiting } = subscription
  if (reason)
    return (
      <Notice tone="danger" title="Disabled">
        {DISABLED_REASON[reason]}
      </Notice>
    )
  if (status !== 'active' || failing_since === null) return null
  return (
    <Notice tone="warn" title="Your server does not accept events.">
      Every attempt since <Time at={failing_since} absolute /> failed
      {last_attempt && <>, the last one with “{answerInWords(last_attempt)}”</>}.{' '}
      {waiting > 0 && `${waitingInWords(waiting)} ${waiting === 1 ? 'delivery waits' : 'deliveries wait'}. `}
      After five days of failures alone, the webhook is disabled.
    </Notice>
  )
}

/** For the overview: the webhooks that deliver nothing now. Nothing where all of them work. */
export const TroubledWebhooks: FC<{ subscriptions: readonly Subscription[] }> = ({ subscriptions }) => {
  const troubled = subscriptions.filter(
    ({ status, failing_since }) => status === 'disabled' || (status === 'active' && failing_since !== null),
  )
  if (troubled.length === 0) return null
  const more = troubled.length - MAX_NAMED
  return (
    <Notice
      tone="warn"
      title={troubled.length === 1 ? 'A webhook does not deliver' : `${troubled.length} webhooks do not deliver`}
    >
      <ul class="plain">
        {troubled.slice(0, MAX_NAMED).map((one) => (
          <li>
            <a href={`/portal/webhooks/${one.subscription_id}`}>
              <Visible text={one.delivery.url} />
            </a>{' '}
            <HealthBadge subscription={one} />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p>
          <a href="/portal/webhooks">{more} more</a>
        </p>
      )}
    </Notice>
  )
}
