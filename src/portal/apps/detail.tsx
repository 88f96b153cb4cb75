import type { FC } from 'hono/jsx'
import { Visible, type App, type AppWithSecret } from '../../auth/index.ts'
import type { AppError } from '../../core/errors.ts'
import { redirectWithFlash, renderPage } from '../respond.tsx'
import { attempt, errorAt } from '../form.ts'
import { Id } from '../components/id.tsx'
import { DetailPage } from '../components/detail-page.tsx'
import { Code } from '../components/code.tsx'
import { Badge, Card, Facts, Notice, Time } from '../components/elements.tsx'
import { ConfirmDelete, nameMismatch } from '../components/confirm-delete.tsx'
import { EditCard } from '../components/forms.tsx'
import { RotateForm } from '../components/rotate-form.tsx'
import type { PageContext } from '../page-context.ts'
import { formAction, page } from '../route.ts'
import { AuditLink } from '../components/audit-link.tsx'
import { AppFields, valuesIn } from './fields.tsx'

const pathOf = (ctx: PageContext): string => `/v1/apps/${ctx.params['id']}`
const pageOf = (ctx: PageContext): string => `/portal/apps/${ctx.params['id']}`

export const appDetailRoutes = [
  page('/portal/apps/:id', (ctx) => appPage(ctx, null)),

  formAction('/portal/apps/:id', async (ctx) => {
    const saved = await attempt(ctx.api.patch(pathOf(ctx), valuesIn(ctx.form)))
    if (!saved.ok) return appPage(ctx, saved.error)
    return redirectWithFlash(ctx, pageOf(ctx), { tone: 'ok', text: 'Saved.' })
  }),

  formAction('/portal/apps/:id/rotate-secret', async (ctx) => {
    const body = { overlap_seconds: Number(ctx.form.text('overlap_seconds')) }
    const rotated = await attempt(
      ctx.api.post<AppWithSecret>(`${pathOf(ctx)}/rotate-secret`, body, ctx.form.text('once')),
    )
    if (!rotated.ok) return appPage(ctx, rotated.error)
    const { id, client_secret } = rotated.value
    return redirectWithFlash(ctx, pageOf(ctx), {
      tone: 'ok',
      text: 'The secret was already rotated; it was shown at that time.',
      ...(client_secret === null ? {} : { secret: { of: id, value: client_secret } }),
    })
  }),

  formAction('/portal/apps/:id/delete', async (ctx) => {
    const { name } = await ctx.api.get<App>(pathOf(ctx))
    const mismatch = nameMismatch(ctx.form, name)
    if (mismatch) return appPage(ctx, mismatch)
    await ctx.api.delete(pathOf(ctx))
    return redirectWithFlash(ctx, '/portal/apps', {
      tone: 'ok',
      text: 'The app was deleted; its tokens end within a minute.',
    })
  }),
]

async function appPage(ctx: PageContext, error: AppError | null): Promise<Response> {
  const app = await ctx.api.get<App>(pathOf(ctx))
  const editing = ctx.form.has('redirect_uris')
  const secret = ctx.flash?.secret?.of === app.id ? ctx.flash.secret.value : null
  const editError = editing ? error : null
  const nameError = error && errorAt(error, 'confirm_name') ? error : null
  return renderPage(
    ctx,
    <DetailPage ctx={ctx} title="OAuth app" name={app.name} list={{ href: '/portal/apps', label: 'OAuth apps' }} narrow>
      {error && !editError && !nameError && <Notice tone="danger">{error.detail}</Notice>}
      {secret !== null && (
        <Card title="Copy the client secret now" lead="It is shown once. Keep it on your server.">
          <div class="card-body">
            <Code label="Client secret" text={secret} secret />
          </div>
        </Card>
      )}
      <Card>
        <div class="card-body">
          <AppFacts app={app} origin={ctx.origin} />
        </div>
      </Card>
      <EditCard ctx={ctx} action={pageOf(ctx)} error={editError}>
        <AppFields values={editing ? valuesIn(ctx.form) : app} error={editError} />
      </EditCard>
      {app.type === 'confidential' && (
        <Card title="Rotate the secret" lead="Both secrets work while you switch.">
          <div class="card-body">
            <RotateForm ctx={ctx} action={`${pageOf(ctx)}/rotate-secret`} what="secret" />
          </div>
        </Card>
      )}
      <ConfirmDelete
        ctx={ctx}
        action={`${pageOf(ctx)}/delete`}
        what="app"
        name={app.name}
        consequence="Everyone who connected it is disconnected. This cannot be undone."
        error={nameError}
      />
    </DetailPage>,
    error?.status ?? 200,
  )
}

const AppFacts: FC<{ app: App; origin: string }> = ({ app, origin }) => (
  <>
    <Facts
      rows={[
        ['Client id', <Id of={app.client_id} />],
        ['Kind', <Badge plain>{app.type === 'public' ? 'Public' : 'Confidential'}</Badge>],
        ['Issuer', <Id of={origin} />],
        ['Token address', <Id of={`${origin}/auth/token`} />],
        ['Created', <Time at={app.created_at} />],
        [
          'Audit log',
          <>
            <AuditLink through={{ app_id: app.client_id }} name={<Visible text={app.name} />} /> (your own use, and use
            in workspaces that you manage)
          </>,
        ],
      ]}
    />
    <Code label="Link that asks for access" text={authorizeLink(app, origin)} />
  </>
)

const authorizeLink = (app: App, origin: string): string =>
  `${origin}/auth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: app.client_id,
    redirect_uri: app.redirect_uris[0] ?? '',
    scope: app.scopes.join(' '),
    state: 'a-random-value-of-yours',
  }).toString()}`
