import type { FC } from 'hono/jsx'
import { REGION_NAMES } from '../../core/regions.ts'
import { iso } from '../../core/values/clock.ts'
import type { Usage } from '../../memory/index.ts'
import { renderPage } from '../respond.tsx'
import { Card, Empty } from '../components/elements.tsx'
import { Shell } from '../components/shell.tsx'
import { Table } from '../components/table.tsx'
import { page } from '../route.ts'
import { Plot, type Series } from '../charts/plot.tsx'
import { TimeSpans } from '../charts/time-spans.tsx'
import { compact } from '../charts/scale.ts'
import { DAY_MS, HOUR_MS, HOUR_SECONDS } from '../../core/values/durations.ts'

/** Each span has 12 to 30 bars, which fit the page. */
const SPANS = {
  hour: { label: 'Last hour', spanMs: HOUR_MS, stepMs: HOUR_MS / 12, step: '5m' },
  day: { label: '24 hours', spanMs: DAY_MS, stepMs: HOUR_MS, step: 'hour' },
  month: { label: '30 days', spanMs: 30 * DAY_MS, stepMs: DAY_MS, step: 'day' },
} as const
type SpanName = keyof typeof SPANS

const isSpan = (name: string | null): name is SpanName => name !== null && name in SPANS

export const usageRoute = page('/portal/usage', async (ctx) => {
  const asked = ctx.url.searchParams.get('span')
  const name = isSpan(asked) ? asked : 'day'
  const span = SPANS[name]
  const now = ctx.system.now()
  const first = Math.floor((now - span.spanMs) / span.stepMs + 1) * span.stepMs
  const withPortal = ctx.url.searchParams.get('portal') === 'include'
  const usage = await ctx.api.get<Usage>('/v1/usage', {
    since: iso(first),
    until: iso(now),
    step: span.step,
    page_reads: withPortal ? 'include' : 'exclude',
  })
  const starts = Array.from({ length: Math.ceil((now - first) / span.stepMs) }, (_, i) => iso(first + i * span.stepMs))
  return renderPage(
    ctx,
    <Shell
      ctx={ctx}
      title="Usage"
      current="/portal/usage"
      lead={
        usage.whose === 'tenant'
          ? 'The usage and limits of everyone here. Counters update within a minute.'
          : 'Your usage and limits. Counters update within a minute.'
      }
    >
      <Stock usage={usage} />
      {usage.region && (
        <p class="muted">
          Stored in {REGION_NAMES[usage.region]} (<code>{usage.region}</code>).
        </p>
      )}
      <Card title="Requests">
        <div class="card-body">
          <TimeSpans
            spans={SPANS}
            current={name}
            href={(value, portal) => `/portal/usage?span=${value}${portal ? '&portal=include' : ''}`}
            withPortal={withPortal}
          />
          <Plot
            id="requests"
            title={`Requests, ${span.label.toLowerCase()}: ${sum(usage.data, 'requests')} in total`}
            steps={starts}
            withTime={name !== 'month'}
            series={seriesOf(starts, usage.data)}
            kind="bars"
          />
        </div>
      </Card>
      <Card
        title="By operation"
        lead={`Limits are per user, in any window of that length. Shared limits: ${rate(usage, 'read')} for all other reads, ${rate(usage, 'write')} for all other changes.`}
      >
        {usage.data.length === 0 ? (
          <Empty icon="usage" title="No requests yet">
            <p>
              <a href="/portal/keys/new">Create a key</a> and send your first one; it is counted here.
            </p>
          </Empty>
        ) : (
          <Operations rows={usage.data} usage={usage} />
        )}
      </Card>
    </Shell>,
  )
})

type Row = Usage['data'][number]

const sum = (rows: readonly Row[], field: 'requests' | 'refusals' | 'limited' | 'failures'): number =>
  rows.reduce((total, row) => total + row[field], 0)

function seriesOf(starts: readonly string[], rows: readonly Row[]): Series[] {
  const byStart = Map.groupBy(rows, (row) => row.at)
  const steps = starts.map((at) => {
    const here = byStart.get(at) ?? []
    const refused = sum(here, 'refusals') + sum(here, 'failures')
    const limited = sum(here, 'limited')
    return { refused, limited, ok: Math.max(0, sum(here, 'requests') - refused - limited) }
  })
  return [
    { name: 'Answered', values: steps.map((step) => step.ok) },
    { name: 'Refused', values: steps.map((step) => step.refused) },
    { name: 'Over a limit', values: steps.map((step) => step.limited) },
  ]
}

const Stock: FC<{ usage: Usage }> = ({ usage }) => (
  <dl class="grid-3">
    <Figure label="Memories" used={usage.items.used} quota={usage.items.quota} />
    <Figure label="Projects" used={usage.projects.used} quota={usage.projects.quota} />
    <Figure label="Waiting to be embedded" used={usage.embeddings_pending} quota={null} />
    <Figure label="Requests in this time" used={sum(usage.data, 'requests')} quota={null} />
  </dl>
)

const Figure: FC<{ label: string; used: number; quota: number | null }> = ({ label, used, quota }) => (
  <div class="card stat">
    <dt>{label}</dt>
    <dd>
      <span class="stat-value">{compact(used)}</span>
      {quota !== null && <span class="muted"> of {compact(quota)}</span>}
      {quota !== null && (
        <svg class="meter" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
          <rect class="meter-track" width="100" height="6" />
          <rect class="meter-fill" width={Math.min(100, Math.round((used / quota) * 100))} height="6" />
        </svg>
      )}
    </dd>
  </div>
)

/** An operation without a limit of its own name shares the limits on reads and writes (contract §6). */
function rate({ limits }: Pick<Usage, 'limits'>, name: string): string {
  const found = limits.find((one) => one.name === name)
  if (!found) return 'shared'
  const { limit, window_seconds } = found
  return `${limit} in ${window_seconds >= HOUR_SECONDS ? 'an hour' : window_seconds >= 60 ? 'a minute' : 'a second'}`
}

const Operations: FC<{ rows: readonly Row[]; usage: Usage }> = ({ rows, usage }) => {
  const operations = [...Map.groupBy(rows, (row) => row.operation)].sort(
    ([, a], [, b]) => sum(b, 'requests') - sum(a, 'requests'),
  )
  return (
    <Table
      columns={['Operation', 'Requests', 'Refused', 'Over a limit', 'Failed', 'Limit']}
      numeric={['Requests', 'Refused', 'Over a limit', 'Failed', 'Limit']}
    >
      {operations.map(([operation, here]) => (
        <tr>
          <td class="lead" data-label="Operation">
            <code>{operation}</code>
          </td>
          <td class="num" data-label="Requests">
            {sum(here, 'requests')}
          </td>
          <td class="num" data-label="Refused">
            {sum(here, 'refusals')}
          </td>
          <td class="num" data-label="Over a limit">
            {sum(here, 'limited')}
          </td>
          <td class="num" data-label="Failed">
            {sum(here, 'failures')}
          </td>
          <td class="num" data-label="Limit">
            {rate(usage, operation)}
          </td>
        </tr>
      ))}
    </Table>
  )
}
