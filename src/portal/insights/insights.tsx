import type { FC } from 'hono/jsx'
import type { Page } from '../../core/http/cursor.ts'
import type { DeliverySeries, SubscriptionPage } from '../../events/index.ts'
import type { Key, UsageSeries } from '../../identity/index.ts'
import { Plot } from '../charts/plot.tsx'
import { TimeSpans } from '../charts/time-spans.tsx'
import { duration } from '../charts/scale.ts'
import { Card, Empty } from '../components/elements.tsx'
import { Shell } from '../components/shell.tsx'
import { listProjects } from '../lists.ts'
import type { PageContext } from '../page-context.ts'
import { renderPage } from '../respond.tsx'
import { page } from '../route.ts'
import { Deliveries } from './deliveries.tsx'
import { hrefOf, type Time } from './page.ts'
import { backlog, latency, requestsBy, searchesAndStores, SPANS, stepsOf, type SpanName } from './series.ts'

const isSpan = (name: string | null): name is SpanName => name !== null && name in SPANS

export const insightsRoute = page('/portal/insights', async (ctx) => {
  const asked = ctx.url.searchParams
  const span = asked.get('span')
  const name = isSpan(span) ? span : 'day'
  const webhook = asked.get('webhook')
  const withPortal = asked.get('portal') === 'include'
  const now = ctx.system.now()
  const steps = stepsOf(name, now)
  const range = { since: steps[0], until: new Date(now + 1).toISOString(), step: SPANS[name].step }
  const seriesBy = (by: string): Promise<UsageSeries> =>
    ctx.api.get<UsageSeries>('/v1/usage/series', { ...range, by, page_reads: withPortal ? 'include' : 'exclude' })
  const [byOperation, byCredential, byProject, deliveries, labels, { subscriptions }] = await Promise.all([
    seriesBy('operation'),
    seriesBy('credential'),
    seriesBy('project'),
    ctx.api.get<DeliverySeries>('/v1/events/delivery-series', {
      ...range,
      ...(webhook === null ? {} : { subscription_id: webhook }),
    }),
    labelsOf(ctx),
    ctx.api.get<SubscriptionPage>('/api/events/subscriptions', { limit: 100 }),
  ])
  const time: Time = { steps, withTime: name === 'day', label: SPANS[name].label }
  const urls = new Map(subscriptions.map((one) => [one.subscription_id, one.delivery.url]))
  return renderPage(
    ctx,
    <Shell
      ctx={ctx}
      title="Insights"
      current="/portal/insights"
      lead={`${byOperation.whose === 'tenant' ? 'What everyone here does' : 'What you do'}, over time. Counters update within a minute and are kept for 30 days.`}
    >
      <TimeSpans
        spans={SPANS}
        current={name}
        href={(value, portal) => hrefOf(isSpan(value) ? value : 'day', webhook, portal)}
        withPortal={withPortal}
      />
      <Requests
        time={time}
        byOperation={byOperation}
        byCredential={byCredential}
        byProject={byProject}
        labels={labels}
      />
      {byOperation.embedding_backlog && (
        <Card
          title="Embedding backlog"
          lead={
            byOperation.embedding_backlog.some(({ truncated }) => truncated)
              ? 'The highest number of memories waiting at once, or more: counts stop at 100,000 across all tenants. The table shows where.'
              : 'The highest number of memories waiting at once. Gaps are times without a measurement.'
          }
        >
          <div class="card-body">
            <Plot
              {...time}
              id="backlog"
              title={`Embedding backlog, ${time.label}`}
              series={[backlog(steps, byOperation.embedding_backlog)]}
              kind="lines"
            />
          </div>
        </Card>
      )}
      <Deliveries time={time} deliveries={deliveries} webhook={webhook} urls={urls} span={name} />
    </Shell>,
  )
})

/** Names of keys and projects, for their ids; other names stay as they are. */
async function labelsOf(ctx: PageContext): Promise<(name: string) => string> {
  const [keys, projects] = await Promise.all([
    ctx.api.get<Page<Key>>('/v1/api-keys', { limit: 100, include: 'revoked' }),
    listProjects(ctx),
  ])
  const names = new Map([...keys.data, ...projects].map(({ id, name }) => [id, name]))
  const KINDS: Record<string, string> = {
    session: 'Signed in',
    portal: 'Portal pages',
    none: 'Without a project',
    other: 'All others',
  }
  return (name) => names.get(name) ?? KINDS[name] ?? name
}

interface RequestsProps {
  time: Time
  byOperation: UsageSeries
  byCredential: UsageSeries
  byProject: UsageSeries
  labels: (name: string) => string
}

const Requests: FC<RequestsProps> = ({ time, byOperation, byCredential, byProject, labels }) => {
  const { steps } = time
  const plots = [
    { id: 'by-operation', title: 'Requests by operation', series: requestsBy(steps, byOperation.data) },
    { id: 'by-key', title: 'Requests by key', series: requestsBy(steps, byCredential.data, labels) },
    { id: 'by-project', title: 'Requests by project', series: requestsBy(steps, byProject.data, labels) },
    { id: 'searches', title: 'Searches compared to stores', series: searchesAndStores(steps, byOperation.data) },
  ]
  if (byOperation.data.length === 0) {
    return (
      <Card>
        <Empty icon="usage" title="No requests in this time">
          <p>
            <a href="/portal/keys/new">Create a key</a> and send your first one; it is drawn here.
          </p>
        </Empty>
      </Card>
    )
  }
  const durations = byOperation.data.map(({ at, durations: histogram }) => ({ at, histogram }))
  return (
    <>
      {plots.map(({ id, title, series }) => (
        <Card title={title}>
          <div class="card-body">
            <Plot {...time} id={id} title={`${title}, ${time.label}`} series={series} kind="bars" />
          </div>
        </Card>
      ))}
      <Card title="Latency" lead="From the arrival of a request to its response, estimated from buckets of durations.">
        <div class="card-body">
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
  )
}
