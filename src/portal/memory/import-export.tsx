import type { FC } from 'hono/jsx'
import { pageHeaders } from '../../auth/index.ts'
import { invalid, isAppError, type AppError } from '../../core/errors.ts'
import type { ImportReport } from '../../memory/index.ts'
import { renderPage } from '../respond.tsx'
import { refusal } from '../api.ts'
import { Card, Notice } from '../components/elements.tsx'
import { Shell } from '../components/shell.tsx'
import { Table } from '../components/table.tsx'
import type { PageContext } from '../page-context.ts'
import { page, uploadAction } from '../route.ts'

const NDJSON = 'application/x-ndjson'

export const importExportRoutes = [
  page('/portal/memory/export', async (ctx) => {
    const project = ctx.url.searchParams.get('project_id') ?? ''
    const query = new URLSearchParams({ project_id: project, namespace: '*' }).toString()
    const answer = await ctx.api.raw(`/v1/memory/export?${query}`, { method: 'GET', headers: { Accept: NDJSON } })
    if (!answer.ok) throw await refusal(answer)
    return new Response(answer.body, {
      headers: {
        ...pageHeaders(),
        'Content-Type': NDJSON,
        'Content-Disposition': `attachment; filename="memories-${project.replaceAll(/\W/g, '')}.jsonl"`,
      },
    })
  }),

  uploadAction('/portal/memory/import', async (ctx) => {
    const file = ctx.form.file('file')
    const project = ctx.form.text('project_id')
    if (!file || file.size === 0)
      return report(ctx, project, invalid('file', 'required', 'Choose a file with one memory per line.'))
    const answer = await ctx.api.raw(`/v1/memory/import?${new URLSearchParams({ project_id: project }).toString()}`, {
      method: 'POST',
      headers: { 'Content-Type': NDJSON },
      body: file,
    })
    return report(ctx, project, answer.ok ? await answer.json<ImportReport>() : await refusal(answer))
  }),
]

function report(ctx: PageContext, project: string, outcome: ImportReport | AppError): Promise<Response> {
  // A refusal repeats nothing that is no id.
  const back = /^\w{1,64}$/.test(project) ? `/portal/memory?project_id=${project}` : '/portal/memory'
  return renderPage(
    ctx,
    <Shell ctx={ctx} title="Import" current="/portal/memory" crumb={{ href: back, label: 'Memory' }} narrow>
      {isAppError(outcome) ? <Notice tone="danger">{outcome.detail}</Notice> : <Outcome report={outcome} />}
      <div>
        <a class="button" href={back}>
          Back to the memories
        </a>
      </div>
    </Shell>,
    isAppError(outcome) ? outcome.status : 200,
  )
}

const Outcome: FC<{ report: ImportReport }> = ({ report: { created, updated, failed, times_kept, results } }) => (
  <>
    <Notice tone={failed > 0 ? 'warn' : 'ok'}>
      {created} stored, {updated} updated, {failed} not imported.
    </Notice>
    {!times_kept && created > 0 && (
      <p class="small muted">
        They count as stored now: only an import by someone who administers the project keeps its times.
      </p>
    )}
    {failed > 0 && <Failures lines={results.filter((line) => line.error)} />}
  </>
)

const SHOWN = 100

const Failures: FC<{ lines: ImportReport['results'] }> = ({ lines }) => (
  <Card
    title="Lines that were not imported"
    lead={lines.length > SHOWN ? `The first ${SHOWN} of ${lines.length}` : undefined}
  >
    <Table columns={['Line', 'Reason']}>
      {lines.slice(0, SHOWN).map((line) => (
        <tr>
          <td data-label="Line">{line.line}</td>
          <td data-label="Reason">{line.error?.detail}</td>
        </tr>
      ))}
    </Table>
  </Card>
)
