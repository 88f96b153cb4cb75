import { REGION_NAMES } from '../../core/regions.ts'
import { iso } from '../../core/values/clock.ts'
import type { DeliverySeries, SubscriptionPage } from '../../events/index.ts'
import type { UsageSeries } from '../../identity/index.ts'
import type { Usage } from '../../memory/index.ts'
import { renderPage, redirect } from '../respond.tsx'
import { Card } from '../components/elements.tsx'
import { Shell } from '../components/shell.tsx'
import type { PageContext } from '../page-context.ts'
import { page } from '../route.ts'
import { Plot } from '../charts/plot.tsx'
import { TimeSpans } from '../charts/time-spans.tsx'
import { Deliveries } from './deliveries.tsx'
import { OperationsCard } from './operations.tsx'
import { outcomesOf, sum } from './outcomes.ts'
import { choiceIn, hrefOf, isSpan, labelsOf, SPANS, tellApart, type Choice, type Time } from './page.ts'
import { Requests } from './requests.tsx'
import { fromFirst, stepsOf } from './series.ts'
import { Stock } from './stock.tsx'

export const usageRoutes = [
  page('/portal/usage', (ctx) => usagePage(ctx)),
  // The plots had a page of their own.
  page('/portal/insights', (ctx) => Promise.resolve(redirect(hrefOf(choiceIn(ctx))))),
]

async function usagePage(ctx: PageContext): Promise<Response> {
  const choice = choiceIn(ctx)
  const { span, withPortal } = choice
  const now = ctx.system.now()
  const all = stepsOf(span, now)
  const [usage, series] = await Promise.all([
    ctx.api.get<Usage>('/v1/usage', {
      since: all[0],
      until: iso(now),
      step: SPANS[span].step,
      page_reads: withPortal ? 'include' : 'exclude',
    }),
    span === 'hour' ? null : readSeries(ctx, choice, all),
  ])
  const data = [usage.data, series?.byOperation.data, series?.byOperation.embedding_backlog, series?.deliveries.data]
  const steps = fromFirst(
    all,
    data.flatMap((points): readonly { at: string }[] => points ?? []),
  )
  const time: Time = { steps, withTime: span !== 'month', label: SPANS[span].label }
  return renderPage(
    ctx,
    <Shell
      ctx={ctx}
      title="Usage"
      current="/portal/usage"
      lead={`${usage.whose === 'tenant' ? 'What everyone here uses, and the limits.' : 'What you use, and your limits.'} Counters update within a minute and are kept for 30 days.`}
    >
      <Stock usage={usage} />
      {usage.region && (
        <p class="muted">
          Stored in {REGION_NAMES[usage.region]} (<code>{usage.region}</code>).
        </p>
      )}
      <TimeSpans
        spans={SPANS}
        current={span}
        href={(value, portal) => hrefOf({ ...choice, span: isSpan(value) ? value : 'day', withPortal: portal })}
        withPortal={withPortal}
      />
      <Card title="Requests">
        <div class="card-body">
          <Plot
            {...time}
            id="requests"
            title={`Requests, ${time.label.toLowerCase()}: ${sum(usage.data, 'requests')} in total`}
            series={outcomesOf(steps, usage.data)}
            kind="bars"
          />
        </div>
      </Card>
      <OperationsCard usage={usage} isOpen={span === 'hour'} />
      {series ? (
        <>
          <Requests time={time} {...series} />
          <Deliveries time={time} deliveries={series.deliveries} choice={choice} urls={series.urls} />
        </>
      ) : (
        <p class="muted">
          Keys, projects, latency and deliveries are counted by the hour:{' '}
          <a href={hrefOf({ ...choice, span: 'day' })}>show 24 hours</a>.
        </p>
      )}
    </Shell>,
  )
}

/** What is counted by the hour. */
async function readSeries(ctx: PageContext, { span, webhook, withPortal }: Choice, steps: readonly string[]) {
  const range = { since: steps[0], until: iso(ctx.system.now() + 1), step: SPANS[span].step }
  const seriesBy = (by: string): Promise<UsageSeries> =>
    ctx.api.get<UsageSeries>('/v1/usage/series', { ...range, by, page_reads: withPortal ? 'include' : 'exclude' })
  const [byOperation, byCredential, byProject, deliveries, { subscriptions }] = await Promise.all([
    seriesBy('operation'),
    seriesBy('credential'),
    seriesBy('project'),
    ctx.api.get<DeliverySeries>('/v1/events/delivery-series', {
      ...range,
      ...(webhook === null ? {} : { subscription_id: webhook }),
    }),
    ctx.api.get<SubscriptionPage>('/api/events/subscriptions', { limit: 100 }),
  ])
  const labels = await labelsOf(
    ctx,
    [...byCredential.data, ...byProject.data].map(({ name }) => name),
  )
  const urls = tellApart(subscriptions.map((one) => ({ id: one.subscription_id, name: one.delivery.url })))
  return { byOperation, byCredential, byProject, deliveries, labels, urls }
}
