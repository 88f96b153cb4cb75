import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { DeliverySeries, Subscription } from '../../events/index.ts'
import { Facts, Time } from '../components/elements.tsx'
import { Id } from '../components/id.tsx'
import { Named } from '../components/named.tsx'
import type { Naming } from '../names.ts'
import { HealthBadge, LastAttempt, LastSuccess, successOf, waitingInWords } from './health.tsx'

interface FactsProps {
  subscription: Subscription
  naming: Naming
  lastDay: DeliverySeries
  wasAttempted: boolean
  now: number
}

export const SubscriptionFacts: FC<FactsProps> = ({ subscription, naming, lastDay, wasAttempted, now }) => (
  <Facts
    rows={[
      ['Status', <HealthBadge subscription={subscription} lastDay={lastDay} now={now} />],
      ['Last attempt', <LastAttempt subscription={subscription} wasAttempted={wasAttempted} now={now} />],
      ['Last success', <LastSuccess subscription={subscription} now={now} />],
      ['Last 24 hours', successOf(lastDay, subscription.subscription_id)],
      ['Waiting', waitingInWords(subscription.waiting)],
      ['Id', <Id of={subscription.subscription_id} />],
      ['Channels', subscription.channels.join(', ')],
      ['Events', subscription.events.length === 0 ? 'All on these channels' : subscription.events.join(', ')],
      ...Object.entries(subscription.filters).map(
        ([key, value]) =>
          [
            `Only ${key.replace(/_id$/, '')}`,
            key.endsWith('_id') ? <Named id={value} naming={naming} /> : <Visible text={value} />,
          ] as const,
      ),
      ['Created', <Time at={subscription.created_at} />],
    ]}
  />
)
