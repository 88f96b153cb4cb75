import type { AppWithSecret } from '../../auth/index.ts'
import type { AppError } from '../../core/errors.ts'
import { redirectWithFlash, renderPage } from '../respond.tsx'
import { attempt } from '../form.ts'
import { Choices } from '../components/fields.tsx'
import { CreatePage } from '../components/forms.tsx'
import type { PageContext } from '../page-context.ts'
import { formAction, page } from '../route.ts'
import { AppFields, valuesIn, type AppValues } from './fields.tsx'

const TYPES = [
  { value: 'confidential', label: 'Runs on a server: can keep a secret' },
  { value: 'public', label: 'Runs in a browser or on a device' },
]

const FIRST_VALUES: AppValues = {
  name: '',
  redirect_uris: [],
  scopes: ['read:memory', 'read:profile'],
  require_pkce: false,
  refresh_grace_seconds: 30,
}

export const newAppRoutes = [
  page('/portal/apps/new', (ctx) => newAppPage(ctx, FIRST_VALUES, null)),

  formAction('/portal/apps', async (ctx) => {
    const values = valuesIn(ctx.form)
    const body = { ...values, type: ctx.form.text('type') }
    const made = await attempt(ctx.api.post<AppWithSecret>('/v1/apps', body, ctx.form.text('once')))
    if (!made.ok) return newAppPage(ctx, values, made.error)
    const { id, client_secret } = made.value
    return redirectWithFlash(ctx, `/portal/apps/${id}`, {
      tone: 'ok',
      text: 'The app was registered.',
      ...(client_secret === null ? {} : { secret: { of: id, value: client_secret } }),
    })
  }),
]

const newAppPage = (ctx: PageContext, values: AppValues, error: AppError | null): Promise<Response> =>
  renderPage(
    ctx,
    <CreatePage
      ctx={ctx}
      title="Create an OAuth app"
      list={{ href: '/portal/apps', label: 'OAuth apps' }}
      submit="Create app"
      error={error}
    >
      <Choices name="type" legend="Kind" options={TYPES} value={ctx.form.text('type') || 'confidential'} />
      <AppFields values={values} error={error} />
    </CreatePage>,
    error?.status ?? 200,
  )
