import type { AppError } from '../../core/errors.ts'
import type { Subscription } from '../../events/index.ts'
import { redirectWithFlash, renderPage } from '../respond.tsx'
import { attempt, errorAt } from '../form.ts'
import { Field } from '../components/fields.tsx'
import { CreatePage } from '../components/forms.tsx'
import type { PageContext } from '../page-context.ts'
import { formAction, page } from '../route.ts'
import { filterOptionsOf, WebhookFields } from './fields.tsx'
import { FIRST_VALUES, headersIn, interestIn, valuesIn } from './form.ts'

export const newWebhookRoutes = [
  page('/portal/webhooks/new', (ctx) => newWebhookPage(ctx, null)),

  formAction('/portal/webhooks', async (ctx) => {
    const made = await attempt(create(ctx))
    if (!made.ok) return newWebhookPage(ctx, made.error)
    return redirectWithFlash(ctx, `/portal/webhooks/${made.value.subscription_id}`, {
      tone: 'ok',
      text: 'The webhook is ready. Show its signing secret with the button above, and send it a test event.',
    })
  }),
]

async function create({ api, form }: PageContext): Promise<Subscription> {
  const values = valuesIn(form)
  const headers = headersIn(form)
  const delivery = {
    method: 'webhook',
    url: values.url,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
  }
  return api.post('/api/events/subscriptions', { ...interestIn(values), delivery }, form.text('once'))
}

async function newWebhookPage(ctx: PageContext, error: AppError | null): Promise<Response> {
  const options = await filterOptionsOf(ctx)
  const first = ctx.request.method === 'GET'
  return renderPage(
    ctx,
    <CreatePage
      ctx={ctx}
      title="Add a webhook"
      list={{ href: '/portal/webhooks', label: 'Webhooks' }}
      submit="Add webhook"
      error={error}
    >
      <WebhookFields
        values={first ? FIRST_VALUES : valuesIn(ctx.form)}
        options={options}
        error={error}
        autofocus={first}
      >
        <Field
          name="headers"
          label="Headers to send"
          rows={2}
          placeholder="Authorization: Bearer …"
          hint="One per line. Stored encrypted and never shown again."
          error={errorAt(error, 'delivery.headers')}
        />
      </WebhookFields>
    </CreatePage>,
    error?.status ?? 200,
  )
}
