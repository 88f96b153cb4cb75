import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { AppError } from '../../core/errors.ts'
import { redirectWithFlash, renderPage } from '../respond.tsx'
import { attempt } from '../form.ts'
import { hrefOf } from '../usage/page.ts'
import { DetailPage } from '../components/detail-page.tsx'
import { Code } from '../components/code.tsx'
import { Snippets } from '../components/snippets.tsx'
import { VERIFICATION } from '../snippets/webhooks.ts'
import { Pager } from '../components/pager.tsx'
import { Card, Notice } from '../components/elements.tsx'
import { DayFields } from '../components/day-fields.tsx'
import { PostForm } from '../components/fields.tsx'
import { Ask } from '../components/ask.tsx'
import { ActionButton } from '../components/forms.tsx'
import { startOfDay, ZONE, zoneOf } from '../days.ts'
import { namesOf } from '../names.ts'
import type { PageContext } from '../page-context.ts'
import { formAction, page } from '../route.ts'
import type { Page } from '../../core/http/cursor.ts'
import { DeliveryTable, DeliveryTabs } from './deliveries.tsx'
import type { Delivery, SigningSecret, Subscription } from '../../events/index.ts'
import { isUnderWay, statusInWords } from './delivery-status.tsx'
import { HealthNotice, readLastDay } from './health.tsx'
import { SubscriptionFacts } from './subscription-facts.tsx'

const idOf = (ctx: PageContext): string => ctx.params['id'] ?? ''
const pathOf = (ctx: PageContext): string => `/v1/events/subscriptions/${idOf(ctx)}`
const pageOf = (ctx: PageContext): string => `/portal/webhooks/${idOf(ctx)}`

/** A form action without fields on a subscription; it ends on the subscription's page. */
const simple = (name: string, text: string, work: (ctx: PageContext) => Promise<unknown>) =>
  formAction(`/portal/webhooks/:id/${name}`, async (ctx) => {
    const outcome = await attempt(work(ctx))
    return outcome.ok ? redirectWithFlash(ctx, pageOf(ctx), { tone: 'ok', text }) : webhookPage(ctx, outcome.error)
  })

const showSecret = (ctx: PageContext, secret: string, text: string): Promise<Response> =>
  redirectWithFlash(ctx, pageOf(ctx), { tone: 'ok', text, secret: { of: idOf(ctx), value: secret } })

export const webhookDetailRoutes = [
  page('/portal/webhooks/:id', (ctx) => webhookPage(ctx, null)),

  simple('pause', 'Paused. Events are kept for seven days.', (ctx) => ctx.api.patch(pathOf(ctx), { status: 'paused' })),
  simple('resume', 'Resumed. Waiting deliveries are being sent now.', (ctx) =>
    ctx.api.patch(pathOf(ctx), { status: 'active' }),
  ),
  simple('test', 'A test event is on its way.', (ctx) => ctx.api.post(`${pathOf(ctx)}/test`)),
  simple('recover', 'Failed deliveries from that time are being sent again.', (ctx) =>
    ctx.api.post(`${pathOf(ctx)}/recover`, {
      since: dayIn(ctx, 'since'),
      until: dayIn(ctx, 'until'),
    }),
  ),

  formAction('/portal/webhooks/:id/secret', async (ctx) => {
    const { secret } = await ctx.api.get<SigningSecret>(`${pathOf(ctx)}/secret`)
    return showSecret(ctx, secret, 'Keep it on your server. The button above shows it again.')
  }),

  formAction('/portal/webhooks/:id/secret/rotate', async (ctx) => {
    const rotated = await attempt(ctx.api.post<SigningSecret>(`${pathOf(ctx)}/secret/rotate`))
    if (!rotated.ok) return webhookPage(ctx, rotated.error)
    return showSecret(ctx, rotated.value.secret, 'This is the new secret. For a day, the old one signs as well.')
  }),

  formAction('/portal/webhooks/:id/delete', async (ctx) => {
    await ctx.api.delete(`/api/events/subscriptions/${idOf(ctx)}`)
    return redirectWithFlash(ctx, '/portal/webhooks', { tone: 'ok', text: 'The webhook was deleted.' })
  }),
]

/** The start of a day of the form. */
const dayIn = ({ form }: PageContext, name: string): string => startOfDay(form.text(name), zoneOf(form.text(ZONE)))

async function webhookPage(ctx: PageContext, error: AppError | null): Promise<Response> {
  const asked = ctx.url.searchParams
  const [subscription, deliveries, lastDay] = await Promise.all([
    ctx.api.get<Subscription>(pathOf(ctx)),
    ctx.api.get<Page<Delivery>>(`${pathOf(ctx)}/deliveries`, {
      status: asked.get('status') ?? '',
      cursor: asked.get('cursor') ?? '',
    }),
    readLastDay(ctx, [idOf(ctx)]),
  ])
  const naming = await namesOf(ctx, Object.values(subscription.filters))
  const secret = ctx.flash?.secret?.of === subscription.subscription_id ? ctx.flash : null
  return renderPage(
    ctx,
    <DetailPage
      ctx={ctx}
      title="Webhook"
      name={subscription.delivery.url}
      list={{ href: '/portal/webhooks', label: 'Webhooks' }}
      actions={<Actions ctx={ctx} subscription={subscription} />}
    >
      {error && <Notice tone="danger">{error.detail}</Notice>}
      <div data-part="notice">
        <HealthNotice subscription={subscription} lastDay={lastDay} />
      </div>
      {secret?.secret && (
        <Card title="Signing secret" lead={secret.text}>
          <div class="card-body">
            <Code label="Signing secret" text={secret.secret.value} secret />
            <p class="label">Check a signature with it</p>
            <Snippets id="verify" label="Checking a signature" snippets={VERIFICATION} />
          </div>
        </Card>
      )}
      <Card>
        <div class="card-body" data-part="facts">
          <SubscriptionFacts
            subscription={subscription}
            naming={naming}
            lastDay={lastDay}
            wasAttempted={deliveries.data.some(({ attempts }) => attempts > 0)}
            now={ctx.system.now()}
          />
        </div>
      </Card>
      <Card
        title="Deliveries"
        lead={
          <>
            One for each event, with every attempt.{' '}
            <a href={`${hrefOf({ span: 'day', webhook: subscription.subscription_id, withPortal: false })}#deliveries`}>
              Outcomes and latency over time
            </a>
          </>
        }
      >
        <div class="card-body">
          <DeliveryTabs url={ctx.url} />
        </div>
        <Deliveries ctx={ctx} deliveries={deliveries.data} />
      </Card>
      <Pager url={ctx.url} next={deliveries.next_cursor} />
      <Recover ctx={ctx} />
      <Danger ctx={ctx} url={subscription.delivery.url} />
    </DetailPage>,
    error?.status ?? 200,
  )
}

const Actions: FC<{ ctx: PageContext; subscription: Subscription }> = ({ ctx, subscription }) => (
  <>
    <ActionButton ctx={ctx} action={`${pageOf(ctx)}/test`} tone="primary">
      Send test event
    </ActionButton>
    {subscription.status === 'active' ? (
      <ActionButton ctx={ctx} action={`${pageOf(ctx)}/pause`}>
        Pause
      </ActionButton>
    ) : (
      subscription.disabled_reason !== 'credential_ended' && (
        <ActionButton ctx={ctx} action={`${pageOf(ctx)}/resume`}>
          Resume
        </ActionButton>
      )
    )}
    {subscription.disabled_reason !== 'credential_ended' && (
      <a class="button" href={`${pageOf(ctx)}/edit`}>
        Edit
      </a>
    )}
    <ActionButton ctx={ctx} action={`${pageOf(ctx)}/secret`}>
      Show signing secret
    </ActionButton>
  </>
)

/** The deliveries of the page. While a first attempt is under way, the script reads the page again. */
const Deliveries: FC<{ ctx: PageContext; deliveries: readonly Delivery[] }> = ({ ctx, deliveries }) => {
  const underWay = deliveries.some(isUnderWay)
  return (
    <div
      data-part="deliveries"
      data-unsettled={underWay ? '' : undefined}
      data-settled={deliveries[0] && !underWay ? `The last delivery: ${statusInWords(deliveries[0])}` : undefined}
      data-self={`${pageOf(ctx)}${ctx.url.search}`}
    >
      {underWay && (
        <noscript>
          <p class="card-body small muted">Reload the page to see whether it was delivered.</p>
        </noscript>
      )}
      <DeliveryTable ctx={ctx} deliveries={deliveries} />
    </div>
  )
}

const Recover: FC<{ ctx: PageContext }> = ({ ctx }) => (
  <Card
    title="Send again"
    lead="All deliveries between two dates that failed, expired or are waiting for their next attempt."
  >
    <div class="card-body">
      <PostForm ctx={ctx} action={`${pageOf(ctx)}/recover`} class="form-inline">
        <DayFields
          ctx={ctx}
          days={[
            { name: 'since', label: 'From', required: true },
            { name: 'until', label: 'Before', required: true },
          ]}
        />
        <button class="button" type="submit">
          Recover
        </button>
      </PostForm>
    </div>
  </Card>
)

const Danger: FC<{ ctx: PageContext; url: string }> = ({ ctx, url }) => (
  <Card title="Rotate or delete" danger>
    <div class="card-body">
      <p>For a day, a new secret signs together with the old one. A deleted webhook receives nothing more.</p>
      <div class="row">
        <ActionButton ctx={ctx} action={`${pageOf(ctx)}/secret/rotate`}>
          Rotate signing secret
        </ActionButton>
        <Ask
          ctx={ctx}
          action={`${pageOf(ctx)}/delete`}
          verb="Delete this webhook"
          question={
            <>
              Delete the webhook to <Visible text={url} />?
            </>
          }
        >
          <p>
            It receives nothing more. Waiting deliveries are not sent, and its signing secret and the record of its
            deliveries are deleted. This cannot be undone.
          </p>
          <p>To stop it for a while, pause it: events are kept for seven days.</p>
        </Ask>
      </div>
    </div>
  </Card>
)
