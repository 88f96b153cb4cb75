import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { DeliverySeries } from '../../events/index.ts'
import { Plot } from '../charts/plot.tsx'
import { addHistograms, quantile } from '../charts/quantile.ts'
import { duration } from '../charts/scale.ts'
import { Card, Empty, Notice } from '../components/elements.tsx'
import { Table } from '../components/table.tsx'
import { hrefOf, type Choice, type Time } from './page.ts'
import { deliveriesByOutcome, latency } from './series.ts'

interface DeliveriesProps {
  time: Time
  deliveries: DeliverySeries
  choice: Choice
  urls: ReadonlyMap<string, string>
}

/** Deliveries by outcome and latency, then each webhook in a row. */
export const Deliveries: FC<DeliveriesProps> = ({ time, deliveries, choice, urls }) => {
  const { webhook } = choice
  const { data, bounds_ms: bounds } = deliveries
  const latencies = data.map(({ at, latencies: histogram }) => ({ at, histogram }))
  return (
    <Card
      id="deliveries"
      title={webhook === null ? 'Deliveries of all webhooks' : 'Deliveries of one webhook'}
      lead={
        webhook === null ? (
          'By the time they were created.'
        ) : (
          <>
            <Visible text={urls.get(webhook) ?? webhook} /> ·{' '}
            <a href={hrefOf({ ...choice, webhook: null })}>All webhooks</a>
          </>
        )
      }
    >
      {data.length === 0 ? (
        <Empty icon="webhook" title="No deliveries in this time" />
      ) : (
        <>
          <div class="card-body">
            {deliveries.truncated && <Notice tone="warn">There are more: only the newest are shown.</Notice>}
            <div class="grid-2 grid-plots">
              <Plot
                {...time}
                id="delivery-outcomes"
                title={`Deliveries by outcome, ${time.label}`}
                series={deliveriesByOutcome(time.steps, data)}
                kind="bars"
              />
              <div>
                <h3>From the event to its acceptance</h3>
                <Plot
                  {...time}
                  id="delivery-latency"
                  title={`Latency of deliveries, ${time.label}`}
                  series={latency(time.steps, bounds, latencies)}
                  kind="lines"
                  format={duration}
                />
              </div>
            </div>
          </div>
          <Webhooks deliveries={deliveries} urls={urls} choice={choice} />
        </>
      )}
    </Card>
  )
}

const Webhooks: FC<Pick<DeliveriesProps, 'deliveries' | 'urls' | 'choice'>> = ({ deliveries, urls, choice }) => (
  <Table
    columns={['Webhook', 'Delivered', 'Open', 'Failed', 'Expired', 'Half within', '95 of 100 within']}
    numeric={['Delivered', 'Open', 'Failed', 'Expired', 'Half within', '95 of 100 within']}
  >
    {[...Map.groupBy(deliveries.data, (point) => point.subscription_id)].map(([id, points]) => {
      const histogram = addHistograms(points.map(({ latencies }) => latencies))
      const within = (share: number): string => {
        const ms = quantile(deliveries.bounds_ms, histogram, share)
        return ms === null ? '–' : duration(ms)
      }
      return (
        <tr>
          <td class="lead" data-label="Webhook">
            <a href={`${hrefOf({ ...choice, webhook: id })}#deliveries`}>
              <Visible text={urls.get(id) ?? id} />
            </a>
          </td>
          {(['delivered', 'open', 'failed', 'expired'] as const).map((outcome) => (
            <td class="num" data-label={outcome[0]?.toUpperCase() + outcome.slice(1)}>
              {points.reduce((sum, point) => sum + point[outcome], 0)}
            </td>
          ))}
          <td class="num" data-label="Half within">
            {within(0.5)}
          </td>
          <td class="num" data-label="95 of 100 within">
            {within(0.95)}
          </td>
        </tr>
      )
    })}
  </Table>
)
