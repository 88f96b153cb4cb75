import type { FC } from 'hono/jsx'
import type { AppError } from '../../core/errors.ts'
import type { Subscription } from '../../events/index.ts'
import { done } from '../answer.tsx'
import { attempt, errorAt } from '../form.ts'
import { Check, Field } from '../parts/fields.tsx'
import { EditCard } from '../parts/forms.tsx'
import { action, type Visit } from '../visit.ts'
import { WebhookFields, type Places } from './fields.tsx'
import { headersIn, interestIn, valuesIn, valuesOf } from './form.ts'

/** Changes a webhook; `show` is its page, which says what was wrong. */
export const editWebhookRoute = (show: (visit: Visit, error: AppError) => Promise<Response>) =>
  action('/portal/webhooks/:id', async (visit) => {
    const saved = await attempt(save(visit))
    if (!saved.ok) return show(visit, saved.error)
    return done(visit, `/portal/webhooks/${visit.params['id']}`, { tone: 'ok', text: 'Saved.' })
  })

async function save({ api, form, params }: Visit): Promise<Subscription> {
  const values = valuesIn(form)
  const headers = headersIn(form)
  const given = Object.keys(headers).length > 0
  const delivery = {
    url: values.url,
    ...(given ? { headers } : form.has('drop_headers') ? { headers: null } : {}),
  }
  return api.patch(`/v1/events/subscriptions/${params['id']}`, { ...interestIn(values), delivery })
}

/** Whether the form of the page is the one that was sent. */
export const isEditing = (visit: Visit): boolean => visit.form.has('url')

export const EditWebhook: FC<{ visit: Visit; subscription: Subscription; places: Places; error: AppError | null }> = ({
  visit,
  subscription,
  places,
  error,
}) => (
  <EditCard visit={visit} action={`/portal/webhooks/${subscription.subscription_id}`} error={error}>
    <WebhookFields
      values={isEditing(visit) ? valuesIn(visit.form) : valuesOf(subscription)}
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
      <Check name="drop_headers" label="Send no headers along any more" checked={visit.form.has('drop_headers')} />
    </WebhookFields>
  </EditCard>
)
