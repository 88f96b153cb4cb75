import type { AppError } from '../../core/errors.ts'
import type { Subscription } from '../../events/index.ts'
import { redirectWithFlash, renderPage } from '../respond.tsx'
import { attempt, errorAt } from '../form.ts'
import { Check, Field } from '../components/fields.tsx'
import { EditPage } from '../components/forms.tsx'
import type { PageContext } from '../page-context.ts'
import { formAction, page } from '../route.ts'
import { filterOptionsOf, WebhookFields } from './fields.tsx'
import { headersIn, interestIn, valuesIn, valuesOf } from './form.ts'

const pathOf = (ctx: PageContext): string => `/v1/events/subscriptions/${ctx.params['id']}`
const pageOf = (ctx: PageContext): string => `/portal/webhooks/${ctx.params['id']}`

export const editWebhookRoutes = [
  page('/portal/webhooks/:id/edit', (ctx) => editPage(ctx, null)),

  formAction('/portal/webhooks/:id/edit', async (ctx) => {
    const saved = await attempt(save(ctx))
    if (!saved.ok) return editPage(ctx, saved.error)
    return redirectWithFlash(ctx, pageOf(ctx), { tone: 'ok', text: 'Saved.' })
  }),
]

async function save(ctx: PageContext): Promise<Subscription> {
  const { api, form } = ctx
  const values = valuesIn(form)
  const headers = headersIn(form)
  const given = Object.keys(headers).length > 0
  const delivery = {
    url: values.url,
    ...(given ? { headers } : form.has('drop_headers') ? { headers: null } : {}),
  }
  return api.patch(pathOf(ctx), { ...interestIn(values), delivery })
}

async function editPage(ctx: PageContext, error: AppError | null): Promise<Response> {
  const [subscription, options] = await Promise.all([ctx.api.get<Subscription>(pathOf(ctx)), filterOptionsOf(ctx)])
  const { form, request } = ctx
  return renderPage(
    ctx,
    <EditPage
      ctx={ctx}
      title="Change a webhook"
      section="/portal/webhooks"
      back={{ href: pageOf(ctx), label: 'Webhook' }}
      error={error}
    >
      <WebhookFields
        values={request.method === 'GET' ? valuesOf(subscription) : valuesIn(form)}
        options={options}
        error={error}
      >
        <Field
          name="headers"
          label="New headers to send"
          rows={2}
          placeholder="Authorization: Bearer …"
          hint="One per line; they replace the stored headers. If empty, the stored headers stay unless the address moves to another origin."
          error={errorAt(error, 'delivery.headers')}
        />
        <Check name="drop_headers" label="Stop sending headers" checked={form.has('drop_headers')} />
      </WebhookFields>
    </EditPage>,
    error?.status ?? 200,
  )
}
