import type { AppError } from '../../core/errors.ts'
import type { Subscription } from '../../events/index.ts'
import { done, show } from '../answer.tsx'
import { attempt, errorAt } from '../form.ts'
import { Check, Field } from '../parts/fields.tsx'
import { EditPage } from '../parts/forms.tsx'
import { action, view, type Visit } from '../visit.ts'
import { placesOf, WebhookFields } from './fields.tsx'
import { headersIn, interestIn, valuesIn, valuesOf } from './form.ts'

const pathOf = (visit: Visit): string => `/v1/events/subscriptions/${visit.params['id']}`
const pageOf = (visit: Visit): string => `/portal/webhooks/${visit.params['id']}`

export const editWebhookRoutes = [
  view('/portal/webhooks/:id/edit', (visit) => editPage(visit, null)),

  action('/portal/webhooks/:id/edit', async (visit) => {
    const saved = await attempt(save(visit))
    if (!saved.ok) return editPage(visit, saved.error)
    return done(visit, pageOf(visit), { tone: 'ok', text: 'Saved.' })
  }),
]

async function save(visit: Visit): Promise<Subscription> {
  const { api, form } = visit
  const values = valuesIn(form)
  const headers = headersIn(form)
  const given = Object.keys(headers).length > 0
  const delivery = {
    url: values.url,
    ...(given ? { headers } : form.has('drop_headers') ? { headers: null } : {}),
  }
  return api.patch(pathOf(visit), { ...interestIn(values), delivery })
}

async function editPage(visit: Visit, error: AppError | null): Promise<Response> {
  const [subscription, places] = await Promise.all([visit.api.get<Subscription>(pathOf(visit)), placesOf(visit)])
  const { form, request } = visit
  return show(
    visit,
    <EditPage
      visit={visit}
      title="Change a webhook"
      section="/portal/webhooks"
      back={{ href: pageOf(visit), label: 'Webhook' }}
      error={error}
    >
      <WebhookFields
        values={request.method === 'GET' ? valuesOf(subscription) : valuesIn(form)}
        places={places}
        error={error}
      >
        <Field
          name="headers"
          label="New headers to send along"
          rows={2}
          placeholder="Authorization: Bearer …"
          hint="One a line, instead of those that are kept. Empty: they stay, unless the address moves to another origin."
          error={errorAt(error, 'delivery.headers')}
        />
        <Check name="drop_headers" label="Send no headers along any more" checked={form.has('drop_headers')} />
      </WebhookFields>
    </EditPage>,
    error?.status ?? 200,
  )
}
