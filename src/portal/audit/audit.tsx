import type { FC } from 'hono/jsx'
import { pageHeaders, Visible } from '../../auth/index.ts'
import type { AuditRow } from '../../audit/index.ts'
import { isAppError, type AppError } from '../../core/errors.ts'
import { renderPage } from '../respond.tsx'
import { refusal } from '../api.ts'
import { Pager } from '../components/pager.tsx'
import { Badge, Card, Empty, Notice, Time } from '../components/elements.tsx'
import { Field } from '../components/fields.tsx'
import { Shell } from '../components/shell.tsx'
import { Table } from '../components/table.tsx'
import type { PageContext } from '../page-context.ts'
import { page } from '../route.ts'
import type { Page } from '../../core/http/cursor.ts'

const NDJSON = 'application/x-ndjson'
const FILTERS = ['actor', 'action', 'resource_id', 'project_id'] as const

/** The API's filters from the query. A date stands for its first moment in UTC. */
function filtersOf(ctx: PageContext): Record<string, string> {
  const asked = ctx.url.searchParams
  const filters: Record<string, string> = {}
  for (const name of FILTERS) {
    const value = asked.get(name)?.trim() ?? ''
    if (value !== '') filters[name] = value
  }
  for (const name of ['since', 'until'] as const) {
    const day = asked.get(name) ?? ''
    if (/^\d{4}-\d{2}-\d{2}$/.test(day)) filters[name] = `${day}T00:00:00.000Z`
  }
  return filters
}

export const auditRoutes = [
  page('/portal/audit', async (ctx) => {
    const filters = filtersOf(ctx)
    const cursor = ctx.url.searchParams.get('cursor') ?? ''
    try {
      return await auditPage(
        ctx,
        await ctx.api.get<Page<AuditRow>>('/v1/audit', { ...filters, cursor, limit: 50 }),
        null,
      )
    } catch (error) {
      if (isAppError(error) && error.status === 422) return auditPage(ctx, null, error)
      throw error
    }
  }),

  page('/portal/audit/export', async (ctx) => {
    const query = new URLSearchParams(filtersOf(ctx)).toString()
    const answer = await ctx.api.raw(`/v1/audit?${query}`, { method: 'GET', headers: { Accept: NDJSON } })
    if (!answer.ok) throw await refusal(answer)
    return new Response(answer.body, {
      headers: {
        ...pageHeaders(),
        'Content-Type': NDJSON,
        'Content-Disposition': 'attachment; filename="audit.jsonl"',
      },
    })
  }),
]

const auditPage = (ctx: PageContext, rows: Page<AuditRow> | null, error: AppError | null): Promise<Response> =>
  renderPage(
    ctx,
    <Shell
      ctx={ctx}
      title="Audit log"
      current="/portal/audit"
      lead="Who did what, through which credential, with what outcome. Never a text, never a query."
      actions={
        <a class="button" href={`/portal/audit/export${ctx.url.search}`} download>
          Export
        </a>
      }
    >
      <Card>
        <div class="card-body">
          <Filters ctx={ctx} />
        </div>
      </Card>
      {error && <Notice tone="danger">{error.detail}</Notice>}
      {rows && (
        <Card>
          {rows.data.length === 0 ? (
            <Empty icon="audit" title="No entries">
              <p>Nothing fits these filters. What happens now is listed within a minute.</p>
            </Empty>
          ) : (
            <Rows ctx={ctx} rows={rows.data} />
          )}
        </Card>
      )}
      {rows && <Pager url={ctx.url} next={rows.next_cursor} />}
    </Shell>,
    error?.status ?? 200,
  )

const Filters: FC<{ ctx: PageContext }> = ({ ctx }) => {
  const value = (name: string): string => ctx.url.searchParams.get(name) ?? ''
  return (
    <form class="form-inline" method="get" action="/portal/audit" role="search" aria-label="Filters">
      <Field name="action" label="Action" placeholder="memory.store" value={value('action')} />
      <Field name="actor" label="User" placeholder={ctx.me.id} value={value('actor')} />
      <Field name="resource_id" label="Resource" placeholder="mem_…" value={value('resource_id')} />
      <Field name="project_id" label="Project" placeholder="prj_…" value={value('project_id')} />
      <Field name="since" type="date" label="From" value={value('since')} />
      <Field name="until" type="date" label="Before" value={value('until')} />
      <button class="button" type="submit">
        Filter
      </button>
    </form>
  )
}

const KINDS: Record<string, string> = { session: 'Session', key: 'API key', access: 'App', password: 'Password' }

const Rows: FC<{ ctx: PageContext; rows: readonly AuditRow[] }> = ({ ctx, rows }) => (
  <Table columns={['Action', 'Outcome', 'Who', 'Through', 'What', 'When']}>
    {rows.map((row) => (
      <tr>
        <td class="lead" data-label="Action">
          <span class="table-title">{row.action}</span>
          <span class="table-sub">
            <code>{row.request_id}</code>
          </span>
        </td>
        <td data-label="Outcome">
          <Badge tone={row.outcome === 'success' ? 'ok' : 'danger'}>{row.outcome}</Badge>
        </td>
        <td data-label="Who">{row.actor === ctx.me.id ? 'You' : <code>{row.actor}</code>}</td>
        <td data-label="Through">
          {KINDS[row.credential.kind] ?? row.credential.kind}
          {row.credential.environment === 'test' && ' (development)'}
          <span class="table-sub">
            <code>{row.credential.id}</code>
          </span>
        </td>
        <td data-label="What">
          <Resources ids={row.resource_ids} />
        </td>
        <td data-label="When">
          <Time at={row.at} />
        </td>
      </tr>
    ))}
  </Table>
)

const SHOWN_IDS = 3

const Resources: FC<{ ids: readonly string[] }> = ({ ids }) => (
  <>
    {ids.slice(0, SHOWN_IDS).map((id) => (
      <code class="table-sub">
        <Visible text={id} />
      </code>
    ))}
    {ids.length > SHOWN_IDS && <span class="table-sub">and {ids.length - SHOWN_IDS} more</span>}
    {ids.length === 0 && '–'}
  </>
)
