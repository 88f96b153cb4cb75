import type { FC } from 'hono/jsx'
import type { UsageSeries } from '../../identity/index.ts'
import { Plot } from '../charts/plot.tsx'
import { Card } from '../components/elements.tsx'
import { fromFirst, requestsBy, stepsOf } from '../usage/series.ts'
import type { PageContext } from '../page-context.ts'

/** Requests of the last 24 hours by operation, without the portal's own reads. */
export function readLastDay(ctx: PageContext): Promise<UsageSeries> {
  const now = ctx.system.now()
  const range = { since: stepsOf('day', now)[0], until: new Date(now + 1).toISOString(), step: 'hour' }
  return ctx.api.get<UsageSeries>('/v1/usage/series', { ...range, by: 'operation', page_reads: 'exclude' })
}

export const LastDay: FC<{ now: number; usage: UsageSeries }> = ({ now, usage }) => {
  const steps = fromFirst(stepsOf('day', now), usage.data)
  return (
    <Card
      title="The last 24 hours"
      lead={
        <>
          {usage.whose === 'tenant' ? 'Requests by everyone here.' : 'Your requests.'} <a href="/portal/usage">Usage</a>
        </>
      }
    >
      <div class="card-body">
        <Plot
          id="last-day"
          title="Requests by operation, 24 hours"
          steps={steps}
          withTime
          series={requestsBy(steps, usage.data)}
          kind="bars"
        />
      </div>
    </Card>
  )
}
