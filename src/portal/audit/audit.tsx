import type { FC } from 'hono/jsx'
import { pageHeaders } from '../../auth/index.ts'
import type { AuditRow } from '../../audit/index.ts'
import type { AppError } from '../../core/errors.ts'
import { renderPage } from '../respond.tsx'
import { refusal } from '../api.ts'
import { attempt } from '../form.ts'
import { Pager, withParameter } from '../components/pager.tsx'
import { Id } from '../components/id.tsx'
import { Named } from '../components/named.tsx'
import { namesOf, type Naming } from '../names.ts'
import { Badge, Card, Empty, Notice, Time } from '../components/elements.tsx'
import { Shell } from '../components/shell.tsx'
import { Table } from '../components/table.tsx'
import type { PageContext } from '../page-context.ts'
import { page } from '../route.ts'
import type { Page } from '../../core/http/cursor.ts'
import { choicesOf, Filters, filtersOf, showsReads, type Choices } from './filters.tsx'

const NDJSON = 'application/x-ndjson'
/** Of what an entry is about. */
const SHOWN_IDS = 3

export const auditRoutes = [
  page('/portal/audit', async (ctx) => {
    const filters = filtersOf(ctx)
    const cursor = ctx.url.searchParams.get('cursor') ?? ''
    const [rows, choices] = await Promise.all([
      attempt(ctx.api.get<Page<AuditRow>>('/v1/audit', { ...filters, cursor, limit: 50 })),
      choicesOf(ctx),
    ])
    if (!rows.ok) return auditPage(ctx, choices, null, rows.error)
    const naming = await namesOf(ctx, rows.value.data.flatMap(idsIn))
    return auditPage(ctx, choices, { ...rows.value, naming }, null)
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

/** The ids of an entry that the page shows. */
const idsIn = ({ actor, credential, resource_ids }: AuditRow): (string | null)[] => [
  actor,
  throughOf(credential),
  ...resource_ids.slice(0, SHOWN_IDS),
]

const throughOf = ({ app_id, id }: AuditRow['credential']): string => app_id ?? id

const auditPage = (
  ctx: PageContext,
  choices: Choices,
  rows: (Page<AuditRow> & { naming: Naming }) | null,
  error: AppError | null,
): Promise<Response> =>
  renderPage(
    ctx,
    <Shell
      ctx={ctx}
      title="Audit log"
      current="/portal/audit"
      lead="Who did what, with which credential, and with what outcome. It never contains a text or a query."
      actions={
        <a class="button" href={`/portal/audit/export${ctx.url.search}`} download>
          Export
        </a>
      }
    >
      <Card>
        <div class="card-body">
          <Filters ctx={ctx} choices={choices} />
        </div>
      </Card>
      {error && <Notice tone="danger">{error.detail}</Notice>}
      {rows && (
        <Card
          foot={
            !showsReads(ctx) && (
              <>
                Reads by the pages of this portal are recorded too, but are not shown here.{' '}
                <a href={withParameter(ctx.url, 'page_reads', 'include')}>Show it</a>
              </>
            )
          }
        >
          {rows.data.length === 0 ? (
            <Empty icon="audit" title="No entries">
              <Nothing url={ctx.url} next={rows.next_cursor} />
            </Empty>
          ) : (
            <Rows rows={rows.data} naming={rows.naming} />
          )}
        </Card>
      )}
      {rows && <Pager url={ctx.url} next={rows.next_cursor} />}
    </Shell>,
    error?.status ?? 200,
  )

/** Says how far was searched: a look at the log ends early where few of its entries match. */
const Nothing: FC<{ url: URL; next: string | null }> = ({ url, next }) =>
  next === null ? (
    <p>Nothing matches these filters. New entries are listed within a minute.</p>
  ) : (
    <p>
      Nothing in this part of the log matches these filters.{' '}
      <a href={withParameter(url, 'cursor', next)}>Search further back</a>
    </p>
  )

const KINDS: Record<string, string> = { session: 'Session', key: 'API key', access: 'App', password: 'Password' }

const Rows: FC<{ rows: readonly AuditRow[]; naming: Naming }> = ({ rows, naming }) => (
  <Table columns={['Action', 'Outcome', 'Who', 'Through', 'What', 'When']} dense>
    {rows.map((row) => (
      <tr>
        <td class="lead" data-label="Action">
          <span class="table-title">{row.action}</span>
          <span class="table-sub">
            <Id of={row.request_id} />
          </span>
        </td>
        <td data-label="Outcome">
          <Badge tone={row.outcome === 'success' ? 'ok' : 'danger'}>{row.outcome}</Badge>
        </td>
        <td data-label="Who">
          <Named id={row.actor} naming={naming} />
        </td>
        <td data-label="Through">
          {KINDS[row.credential.kind] ?? row.credential.kind}
          {row.credential.environment === 'test' && ' (development)'}
          {row.credential.id && (
            <span class="table-sub">
              <Named id={throughOf(row.credential)} naming={naming} />
            </span>
          )}
        </td>
        <td data-label="What">
          <Resources ids={row.resource_ids} naming={naming} />
        </td>
        <td data-label="When">
          <Time at={row.at} />
        </td>
      </tr>
    ))}
  </Table>
)

const Resources: FC<{ ids: readonly string[]; naming: Naming }> = ({ ids, naming }) => (
  <>
    {ids.slice(0, SHOWN_IDS).map((id) => (
      <span class="table-sub">
        <Named id={id} naming={naming} />
      </span>
    ))}
    {ids.length > SHOWN_IDS && <span class="table-sub">and {ids.length - SHOWN_IDS} more</span>}
    {ids.length === 0 && '–'}
  </>
)
