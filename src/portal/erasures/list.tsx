import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { AppError } from '../../core/errors.ts'
import type { Page } from '../../core/http/cursor.ts'
import type { Erasure, ErasureDryRun } from '../../memory/index.ts'
import { ConfirmDelete, nameMismatch } from '../components/confirm-delete.tsx'
import { Badge, Card, Empty, Facts, Notice, Time } from '../components/elements.tsx'
import { Field, Select } from '../components/fields.tsx'
import { Id } from '../components/id.tsx'
import { Pager } from '../components/pager.tsx'
import { Shell } from '../components/shell.tsx'
import { Table } from '../components/table.tsx'
import { attempt, errorAt } from '../form.ts'
import type { PageContext } from '../page-context.ts'
import { redirectWithFlash, renderPage } from '../respond.tsx'
import { formAction, page } from '../route.ts'
import { countRows, KeptNames } from './counts.tsx'

const LIST = '/portal/erasures'

export const erasureListRoutes = [
  page(LIST, async (ctx) => {
    const cursor = ctx.url.searchParams.get('cursor') ?? ''
    const receipts = await ctx.api.get<Page<Erasure>>('/v1/erasures', { cursor, limit: 50 })
    return renderPage(
      ctx,
      <Shell
        ctx={ctx}
        title="Erasures"
        current={LIST}
        actions={
          <a class="button" href={`${LIST}/subjects`}>
            Subjects
          </a>
        }
        lead="Erase all that is stored about a person or in a namespace, by anyone, and keep a receipt that proves it."
      >
        <AskName error={null} />
        <Card title="Receipts">
          {receipts.data.length === 0 ? (
            <Empty icon="audit" title="No erasures">
              <p>Each erasure leaves a receipt here, which is kept for good.</p>
            </Empty>
          ) : (
            <Receipts receipts={receipts.data} />
          )}
        </Card>
        <Pager url={ctx.url} next={receipts.next_cursor} />
      </Shell>,
    )
  }),

  page(`${LIST}/new`, (ctx) => checkPage(ctx, null)),

  formAction(LIST, async (ctx) => {
    const { kind, name } = targetOf(ctx)
    const mismatch = nameMismatch(ctx.form, name)
    if (mismatch) return checkPage(ctx, mismatch)
    const erasure = await attempt(ctx.api.post<Erasure>('/v1/erasures', { [kind]: name }))
    if (!erasure.ok) return checkPage(ctx, erasure.error)
    return redirectWithFlash(ctx, `${LIST}/${erasure.value.id}`, { tone: 'ok', text: 'The erasure is running.' })
  }),
]

/** `subject=…` or `namespace=…` of the address; the form sends `kind` and `name`. */
function targetOf({ url: { searchParams } }: PageContext): { kind: 'subject' | 'namespace'; name: string } {
  const namespace = searchParams.get('namespace')
  if (namespace !== null) return { kind: 'namespace', name: namespace }
  const kind = searchParams.get('kind') === 'namespace' ? 'namespace' : 'subject'
  return { kind, name: searchParams.get('subject') ?? searchParams.get('name')?.trim() ?? '' }
}

/** What an erasure would erase, and the form that asks for the name. */
async function checkPage(ctx: PageContext, error: AppError | null): Promise<Response> {
  const { kind, name } = targetOf(ctx)
  const dry = await attempt(ctx.api.search<ErasureDryRun>('/v1/erasures', { [kind]: name, dry_run: true }))
  const fault = dry.ok ? error : dry.error
  return renderPage(
    ctx,
    <Shell ctx={ctx} title={`Erase a ${kind}`} current={LIST} crumb={{ href: LIST, label: 'Erasures' }} narrow>
      {dry.ok ? (
        <>
          <Card title="This would be erased">
            <div class="card-body">
              <Facts rows={countRows(dry.value)} />
              <KeptNames kept={dry.value.kept} />
            </div>
          </Card>
          <ConfirmDelete
            ctx={ctx}
            action={`${LIST}?${new URLSearchParams({ [kind]: name }).toString()}`}
            what={kind}
            name={name}
            consequence="This covers all projects that you administer. Its memories become inaccessible within seconds, and are erased with earlier texts, vectors and events. Until then nothing can be stored under this name. This cannot be undone."
            error={error}
          />
        </>
      ) : (
        <AskName error={dry.error} kind={kind} name={name} />
      )}
    </Shell>,
    fault?.status ?? 200,
  )
}

const KINDS = [
  { value: 'subject', label: 'Subject: what the memories are about' },
  { value: 'namespace', label: 'Namespace' },
] as const

const AskName: FC<{ error: AppError | null; kind?: 'subject' | 'namespace'; name?: string }> = ({
  error,
  kind = 'subject',
  name = '',
}) => (
  <Card title="Erase" lead="First you see what would be erased, in all projects that you administer.">
    <div class="card-body">
      {error && !errorAt(error, kind) && <Notice tone="danger">{error.detail}</Notice>}
      <form class="form" method="get" action={`${LIST}/new`} aria-label="Erase">
        <Select name="kind" label="What" options={KINDS} value={kind} />
        <Field name="name" label="Name" required value={name} error={errorAt(error, kind)} />
        <div>
          <button class="button" type="submit">
            Count
          </button>
        </div>
      </form>
    </div>
  </Card>
)

export const STATUS_TONE = { running: 'warn', erased: 'ok', completed: 'ok' } as const

const Receipts: FC<{ receipts: readonly Erasure[] }> = ({ receipts }) => (
  <Table columns={['Receipt', 'Status', 'Items', 'Requested', 'Erased']} dense>
    {receipts.map((one) => (
      <tr>
        <td class="lead" data-label="Receipt">
          <a href={`${LIST}/${one.id}`}>{one.name === null ? `A ${one.kind}` : <Visible text={one.name} />}</a>
          <span class="table-sub">
            <Id of={one.id} />
          </span>
        </td>
        <td data-label="Status">
          <Badge tone={STATUS_TONE[one.status]}>{one.status}</Badge>
        </td>
        <td data-label="Items">{one.counts.items}</td>
        <td data-label="Requested">
          <Time at={one.requested_at} />
        </td>
        <td data-label="Erased">{one.erased_at === null ? '–' : <Time at={one.erased_at} />}</td>
      </tr>
    ))}
  </Table>
)
