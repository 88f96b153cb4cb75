import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import {
  KEPT_MS,
  MAX_COUNTED_DELIVERIES,
  MAX_DELIVERIES,
  type DeliverySeries,
  type Subscription,
  type SubscriptionPage,
} from '../../events/index.ts'
import { Badge, Notice, Time } from '../components/elements.tsx'
import { stepsOf } from '../usage/series.ts'
import type { PageContext } from '../page-context.ts'
import { answerInWords } from './delivery-status.tsx'
import { DISABLED_REASON, SUBSCRIPTION_STATUS } from './labels.ts'

/** Webhooks that the notice of the overview names. */
const MAX_NAMED = 3

/** Whether deliveries of its whole life are kept. Of an older one it is unknown what came before. */
const isYoung = ({ created_at }: Subscription, now: number): boolean => now - Date.parse(created_at) < KEPT_MS

/** The outcomes of a webhook in a series. */
function outcomesOf({ data }: DeliverySeries, id: string) {
  const own = data.filter(({ subscription_id }) => subscription_id === id)
  const sumOf = (count: (point: DeliverySeries['data'][number]) => number): number =>
    own.reduce((sum, point) => sum + count(point), 0)
  const delivered = sumOf((point) => point.delivered)
  const failed = sumOf((point) => point.failed + point.expired)
  return { delivered, failed, all: delivered + failed + sumOf((point) => point.open) }
}

/** Whether all that was settled in a day failed. A delivery that its owner may no longer receive fails without an attempt. */
const allFailed = (lastDay: DeliverySeries, id: string): boolean => {
  const { delivered, failed } = outcomesOf(lastDay, id)
  return delivered === 0 && failed > 0
}

interface HealthProps {
  subscription: Subscription
  /** Null if it could not be read: the badge then shows the status alone. */
  lastDay: DeliverySeries | null
  now: number
}

/** Whether events arrive: the status, and of an active webhook what became of its deliveries. */
export const HealthBadge: FC<HealthProps> = ({ subscription, lastDay, now }) => {
  const { subscription_id: id, status, failing_since, last_success_at } = subscription
  if (lastDay && status === 'active' && failing_since === null) {
    if (allFailed(lastDay, id)) return <Badge tone="warn">Nothing delivered in 24 hours</Badge>
    if (last_success_at === null && outcomesOf(lastDay, id).delivered === 0)
      return <Badge>{isYoung(subscription, now) ? 'Never delivered' : 'Nothing delivered in 30 days'}</Badge>
  }
  return <TroubleBadge subscription={subscription} />
}

/** The status, and since when an active webhook has failed. */
const TroubleBadge: FC<{ subscription: Subscription }> = ({ subscription }) => {
  const { status, failing_since } = subscription
  if (status === 'active' && failing_since !== null)
    return (
      <Badge tone="warn">
        <span>
          Failing since <Time at={failing_since} absolute />
        </span>
      </Badge>
    )
  const { label, tone } = SUBSCRIPTION_STATUS[status]
  return <Badge tone={tone}>{label}</Badge>
}

/** The last attempt. Those from before the service recorded it are known by what they left: a run, a success, a delivery. */
export const LastAttempt: FC<{ subscription: Subscription; wasAttempted: boolean; now: number }> = (props) => {
  const { failing_since, last_attempt, last_success_at } = props.subscription
  if (last_attempt !== null)
    return (
      <>
        {answerInWords(last_attempt)}, <Time at={last_attempt.at} />
      </>
    )
  const isFirst = failing_since === null && last_success_at === null && !props.wasAttempted
  return <>{isFirst && isYoung(props.subscription, props.now) ? 'None yet' : 'Not recorded'}</>
}

export const LastSuccess: FC<{ subscription: Subscription; now: number }> = ({ subscription, now }) => {
  const { last_success_at: at } = subscription
  if (at !== null) return <Time at={at} />
  return <>{isYoung(subscription, now) ? 'Never' : 'Not in 30 days'}</>
}

/** `1,000 or more` where the API counts no further. */
export const waitingInWords = (waiting: number): string =>
  waiting === MAX_COUNTED_DELIVERIES ? `${MAX_COUNTED_DELIVERIES.toLocaleString('en')} or more` : String(waiting)

/** The deliveries of the last 24 hours, of at most `MAX_SUBSCRIPTIONS` webhooks. */
export function readLastDay(ctx: PageContext, ids: readonly string[]): Promise<DeliverySeries> {
  const now = ctx.system.now()
  return ctx.api.get<DeliverySeries>('/v1/events/delivery-series', {
    since: stepsOf('day', now)[0],
    until: new Date(now + 1).toISOString(),
    step: 'hour',
    subscription_id: ids,
  })
}

/** How many deliveries of the last day arrived. */
export function successOf(lastDay: DeliverySeries, id: string): string {
  const { delivered, all } = outcomesOf(lastDay, id)
  if (all === 0) return 'No events'
  const total = all.toLocaleString('en')
  return `${delivered.toLocaleString('en')} of ${all < MAX_DELIVERIES ? total : `the newest ${total}`} delivered`
}

/** What the owner of a webhook has to know about it; nothing where it works. */
export const HealthNotice: FC<{ subscription: Subscription; lastDay: DeliverySeries }> = ({
  subscription,
  lastDay,
}) => {
  const { subscription_id: id, disabled_reason: reason, status, failing_since, last_attempt, waiting } = subscription
  if (reason)
    return (
      <Notice tone="danger" title="Disabled">
        {DISABLED_REASON[reason]}
      </Notice>
    )
  if (status !== 'active') return null
  if (failing_since === null)
    return allFailed(lastDay, id) ? (
      <Notice tone="warn" title="Nothing was delivered in the last 24 hours.">
        Each delivery below says why.
      </Notice>
    ) : null
  return (
    <Notice tone="warn" title="Your server does not accept events.">
      Every attempt since <Time at={failing_since} absolute /> has failed
      {last_attempt && <>, the last one with “{answerInWords(last_attempt)}”</>}.{' '}
      {waiting > 0 && `${waitingInWords(waiting)} ${waiting === 1 ? 'delivery waits' : 'deliveries wait'}. `}
      If every attempt fails for five days, the webhook is disabled.
    </Notice>
  )
}

/** The newest webhooks that deliver nothing now, however many newer ones work. */
export const readTroubled = (ctx: PageContext): Promise<SubscriptionPage> =>
  ctx.api.get('/api/events/subscriptions', { health: 'failing', limit: MAX_NAMED })

/** For the overview: the webhooks that deliver nothing now. Nothing where all of them work. */
export const TroubledWebhooks: FC<{ troubled: SubscriptionPage }> = ({ troubled: { subscriptions, total } }) => {
  if (total === 0) return null
  const more = total - subscriptions.length
  return (
    <Notice tone="warn" title={total === 1 ? 'A webhook does not deliver' : `${total} webhooks do not deliver`}>
      <ul class="plain">
        {subscriptions.map((one) => (
          <li>
            <a href={`/portal/webhooks/${one.subscription_id}`}>
              <Visible text={one.delivery.url} />
            </a>{' '}
            <TroubleBadge subscription={one} />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p>
          <a href="/portal/webhooks?health=failing">{more} more</a>
        </p>
      )}
    </Notice>
  )
}
