import type { FC } from 'hono/jsx'
import type { UsageSeries } from '../../identity/index.ts'
import { Plot } from '../charts/plot.tsx'
import { addHistograms, quantile } from '../charts/quantile.ts'
import { duration } from '../charts/scale.ts'
import { Card } from '../components/elements.tsx'
import type { Time } from './page.ts'
import { backlog, latency, requestsBy, searchesAndStores } from './series.ts'

interface RequestsProps {
  time: Time
  byOperation: UsageSeries
  byCredential: UsageSeries
  byProject: UsageSeries
  labels: (name: string) => string
}

/** Requests by what they did and who sent them, how long they took, and what waits to be embedded. */
export const Requests: FC<RequestsProps> = ({ time, byOperation, byCredential, byProject, labels }) => {
  const { steps } = time
  const plots = [
    { id: 'by-operation', title: 'Requests by operation', series: requestsBy(steps, byOperation.data) },
    { id: 'by-key', title: 'Requests by key', series: requestsBy(steps, byCredential.data, labels) },
    { id: 'by-project', title: 'Requests by project', series: requestsBy(steps, byProject.data, labels) },
    { id: 'searches', title: 'Searches compared to stores', series: searchesAndStores(steps, byOperation.data) },
  ]
  const durations = byOperation.data.map(({ at, durations: histogram }) => ({ at, histogram }))
  return (
    <div class="grid-2 grid-plots">
      {byOperation.data.length > 0 && (
        <>
          {plots.map(({ id, title, series }) => (
            <Card title={title}>
              <div class="card-body">
                <Plot {...time} id={id} title={`${title}, ${time.label}`} series={series} kind="bars" />
              </div>
            </Card>
          ))}
          <Card title="Latency">
            <div class="card-body">
              <p class="small muted">
                {inWords(byOperation)} From the arrival of a request to its response, estimated from buckets of
                durations.
              </p>
              <Plot
                {...time}
                id="latency"
                title={`Latency of requests, ${time.label}`}
                series={latency(steps, byOperation.bounds_ms, durations)}
                kind="lines"
                format={duration}
              />
            </div>
          </Card>
        </>
      )}
      {byOperation.embedding_backlog && <Backlog time={time} points={byOperation.embedding_backlog} />}
    </div>
  )
}

/** The middle and the 95th of a hundred durations of the whole time, as a sentence. */
function inWords({ data, bounds_ms }: UsageSeries): string {
  const histogram = addHistograms(data.map(({ durations }) => durations))
  const [half, most] = [quantile(bounds_ms, histogram, 0.5), quantile(bounds_ms, histogram, 0.95)]
  if (half === null || most === null) return ''
  return `Half of the requests took at most ${duration(half)}, and 95 of 100 at most ${duration(most)}.`
}

const Backlog: FC<{ time: Time; points: NonNullable<UsageSeries['embedding_backlog']> }> = ({ time, points }) => (
  <Card title="Embedding backlog">
    <div class="card-body">
      <p class="small muted">
        {points.some(({ truncated }) => truncated)
          ? 'The highest number of memories waiting at once, or more: counts stop at 100,000 across all tenants. The table shows where.'
          : 'The highest number of memories waiting at once. Gaps are times without a measurement.'}
      </p>
      <Plot
        {...time}
        id="backlog"
        title={`Embedding backlog, ${time.label}`}
        series={[backlog(time.steps, points)]}
        kind="lines"
      />
    </div>
  </Card>
)
