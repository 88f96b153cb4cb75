import type { AppError } from '../../core/errors.ts'
import type { Subscription } from '../../events/index.ts'
import { done, show } from '../answer.tsx'
import { attempt, errorAt } from '../form.ts'
import { Field } from '../parts/fields.tsx'
import { CreatePage } from '../parts/forms.tsx'
import { action, view, type Visit } from '../visit.ts'
import { placesOf, WebhookFields } from './fields.tsx'
import { FIRST_VALUES, headersIn, interestIn, valuesIn } from './form.ts'

export const newWebhookRoutes = [
  view('/portal/webhooks/new', (visit) => newWebhookPage(visit, null)),

  action('/portal/webhooks', async (visit) => {
    const made = await attempt(create(visit))
    if (!made.ok) return newWebhookPage(visit, made.error)
    return done(visit, `/portal/webhooks/${made.value.subscription_id}`, {
      tone: 'ok',
      text: 'The webhook is ready. Show its signing secret below, and send it a test.',
    })
  }),
]

async function create({ api, form }: Visit): Promise<Subscription> {
  const values = valuesIn(form)
  const headers = headersIn(form)
  const delivery = {
    method: 'webhook',
    url: values.url,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
  }
  return api.post('/api/events/subscriptions', { ...interestIn(values), delivery }, form.text('once'))
}

async function newWebhookPage(visit: Visit, error: AppError | null): Promise<Response> {
  const places = await placesOf(visit)
  const first = visit.request.method === 'GET'
  return show(
    visit,
    <CreatePage
      visit={visit}
      title="Add a webhook"
      list={{ href: '/portal/webhooks', label: 'Webhooks' }}
      submit="Add webhook"
      error={error}
    >
      <WebhookFields
        values={first ? FIRST_VALUES : valuesIn(visit.form)}
        places={places}
        error={error}
        autofocus={first}
      >
        <Field
          name="headers"
          label="Headers to send along"
          rows={2}
          placeholder="Authorization: Bearer …"
          hint="One a line. Kept encrypted, never shown again."
          error={errorAt(error, 'delivery.headers')}
        />
      </WebhookFields>
    </CreatePage>,
    error?.status ?? 200,
  )
}
