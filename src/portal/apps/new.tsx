import type { App } from '../../auth/index.ts'
import type { AppError } from '../../core/errors.ts'
import { done, show } from '../answer.tsx'
import { attempt } from '../form.ts'
import { Choices } from '../parts/fields.tsx'
import { CreatePage } from '../parts/forms.tsx'
import { action, view, type Visit } from '../visit.ts'
import { AppFields, valuesIn, type AppValues } from './form.tsx'

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
  view('/portal/apps/new', (visit) => newAppPage(visit, FIRST_VALUES, null)),

  action('/portal/apps', async (visit) => {
    const values = valuesIn(visit.form)
    const body = { ...values, type: visit.form.text('type') }
    const made = await attempt(
      visit.api.post<App & { client_secret: string | null }>('/v1/apps', body, visit.form.text('once')),
    )
    if (!made.ok) return newAppPage(visit, values, made.error)
    const { id, client_secret } = made.value
    return done(visit, `/portal/apps/${id}`, {
      tone: 'ok',
      text: 'The app is registered.',
      ...(client_secret === null ? {} : { secret: { of: id, value: client_secret } }),
    })
  }),
]

const newAppPage = (visit: Visit, values: AppValues, error: AppError | null): Promise<Response> =>
  show(
    visit,
    <CreatePage
      visit={visit}
      title="Create an OAuth app"
      list={{ href: '/portal/apps', label: 'OAuth apps' }}
      submit="Create app"
      error={error}
    >
      <Choices name="type" legend="Kind" options={TYPES} value={visit.form.text('type') || 'confidential'} />
      <AppFields values={values} error={error} />
    </CreatePage>,
    error?.status ?? 200,
  )
