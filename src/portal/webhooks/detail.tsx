import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { AppError } from '../../core/errors.ts'
import { done, show } from '../answer.tsx'
import { attempt } from '../form.ts'
import { Badge, Card, Code, Facts, Notice, Pager, Time } from '../parts/bits.tsx'
import { Field, PostForm } from '../parts/fields.tsx'
import { ActionButton } from '../parts/forms.tsx'
import { Shell } from '../parts/shell.tsx'
import { action, view, type Visit } from '../visit.ts'
import type { Page } from '../../core/http/cursor.ts'
import { DeliveryTable, DeliveryTabs } from './deliveries.tsx'
import type { Delivery, Subscription } from '../../events/index.ts'
import { DISABLED, STATUS } from './words.ts'

const idOf = (visit: Visit): string => visit.params['id'] ?? ''
const pathOf = (visit: Visit): string => `/v1/events/subscriptions/${idOf(visit)}`
const pageOf = (visit: Visit): string => `/portal/webhooks/${idOf(visit)}`

/** An action on a subscription that ends on its page, whatever came of it. */
const simple = (name: string, text: string, work: (visit: Visit) => Promise<unknown>) =>
  action(`/portal/webhooks/:id/${name}`, async (visit) => {
    const outcome = await attempt(work(visit))
    return outcome.ok ? done(visit, pageOf(visit), { tone: 'ok', text }) : webhookPage(visit, outcome.error)
  })

const showSecret = (visit: Visit, secret: string, text: string): Promise<Response> =>
  done(visit, pageOf(visit), { tone: 'ok', text, secret: { of: idOf(visit), value: secret } })

export const webhookDetailRoutes = [
  view('/portal/webhooks/:id', (visit) => webhookPage(visit, null)),

  simple('pause', 'Paused. What happens meanwhile is kept for seven days.', (visit) =>
    visit.api.patch(pathOf(visit), { status: 'paused' }),
  ),
  simple('resume', 'Resumed. What waited goes out now.', (visit) =>
    visit.api.patch(pathOf(visit), { status: 'active' }),
  ),
  simple('test', 'A test event is on its way: reload to see it delivered.', (visit) =>
    visit.api.post(`${pathOf(visit)}/test`),
  ),
  simple('recover', 'What failed in that time is being sent again.', (visit) =>
    visit.api.post(`${pathOf(visit)}/recover`, {
      since: instant(visit.form.text('since')),
      until: instant(visit.form.text('until')),
    }),
  ),

  action('/portal/webhooks/:id/secret', async (visit) => {
    const { secret } = await visit.api.get<{ secret: string }>(`${pathOf(visit)}/secret`)
    return showSecret(visit, secret, 'The signing secret.')
  }),

  action('/portal/webhooks/:id/secret/rotate', async (visit) => {
    const rotated = await attempt(visit.api.post<{ secret: string }>(`${pathOf(visit)}/secret/rotate`))
    if (!rotated.ok) return webhookPage(visit, rotated.error)
    return showSecret(visit, rotated.value.secret, 'The new signing secret. For a day the old one signs as well.')
  }),

  action('/portal/webhooks/:id/delete', async (visit) => {
    await visit.api.delete(`/api/events/subscriptions/${idOf(visit)}`)
    return done(visit, '/portal/webhooks', { tone: 'ok', text: 'The webhook is deleted.' })
  }),
]

/** What a date field sends, as an instant in UTC. */
const instant = (day: string): string => (/^\d{4}-\d{2}-\d{2}$/.test(day) ? `${day}T00:00:00.000Z` : day)

async function webhookPage(visit: Visit, error: AppError | null): Promise<Response> {
  const asked = visit.url.searchParams
  const [subscription, deliveries] = await Promise.all([
    visit.api.get<Subscription>(pathOf(visit)),
    visit.api.get<Page<Delivery>>(`${pathOf(visit)}/deliveries`, {
      status: asked.get('status') ?? '',
      cursor: asked.get('cursor') ?? '',
    }),
  ])
  const secret = visit.flash?.secret?.of === subscription.subscription_id ? visit.flash : null
  return show(
    visit,
    <Shell
      visit={visit}
      title="Webhook"
      heading={<Visible text={subscription.delivery.url} />}
      current="/portal/webhooks"
      crumb={{ href: '/portal/webhooks', label: 'Webhooks' }}
      actions={<Actions visit={visit} subscription={subscription} />}
    >
      {error && <Notice tone="danger">{error.detail}</Notice>}
      {subscription.disabled_reason && (
        <Notice tone="danger" title="Disabled">
          {DISABLED[subscription.disabled_reason]}
        </Notice>
      )}
      {secret?.secret && (
        <Card title="Signing secret" lead={secret.text}>
          <div class="card-body">
            <Code label="Signing secret" text={secret.secret.value} secret />
          </div>
        </Card>
      )}
      <Card>
        <div class="card-body">
          <SubscriptionFacts subscription={subscription} />
        </div>
      </Card>
      <Card title="Deliveries" lead="One for each event, with every attempt.">
        <div class="card-body">
          <DeliveryTabs url={visit.url} />
        </div>
        <DeliveryTable visit={visit} deliveries={deliveries.data} />
      </Card>
      <Pager url={visit.url} next={deliveries.next_cursor} />
      <Recover visit={visit} />
      <Danger visit={visit} />
    </Shell>,
    error?.status ?? 200,
  )
}

const Actions: FC<{ visit: Visit; subscription: Subscription }> = ({ visit, subscription }) => (
  <>
    <ActionButton visit={visit} action={`${pageOf(visit)}/test`} tone="primary">
      Send test event
    </ActionButton>
    {subscription.status === 'active' ? (
      <ActionButton visit={visit} action={`${pageOf(visit)}/pause`}>
        Pause
      </ActionButton>
    ) : (
      subscription.disabled_reason !== 'credential_ended' && (
        <ActionButton visit={visit} action={`${pageOf(visit)}/resume`}>
          Resume
        </ActionButton>
      )
    )}
    {subscription.disabled_reason !== 'credential_ended' && (
      <a class="button" href={`${pageOf(visit)}/edit`}>
        Edit
      </a>
    )}
    <ActionButton visit={visit} action={`${pageOf(visit)}/secret`}>
      Show signing secret
    </ActionButton>
  </>
)

const SubscriptionFacts: FC<{ subscription: Subscription }> = ({ subscription }) => (
  <Facts
    rows={[
      ['Status', <Badge tone={STATUS[subscription.status].tone}>{STATUS[subscription.status].label}</Badge>],
      ['Id', <code>{subscription.subscription_id}</code>],
      ['Channels', subscription.channels.join(', ')],
      ['Events', subscription.events.length === 0 ? 'All of these channels' : subscription.events.join(', ')],
      ...Object.entries(subscription.filters).map(([key, value]) => [`Only ${key}`, <Visible text={value} />] as const),
      ['Made', <Time at={subscription.created_at} />],
    ]}
  />
)

const Recover: FC<{ visit: Visit }> = ({ visit }) => (
  <Card title="Send again" lead="Everything that failed or expired between two days.">
    <div class="card-body">
      <PostForm visit={visit} action={`${pageOf(visit)}/recover`} class="form-inline">
        <Field name="since" type="date" label="From" required />
        <Field name="until" type="date" label="Before" required />
        <button class="button" type="submit">
          Recover
        </button>
      </PostForm>
    </div>
  </Card>
)

const Danger: FC<{ visit: Visit }> = ({ visit }) => (
  <Card title="Secret and end" danger>
    <div class="card-body">
      <p>A new secret signs beside the old one for a day. A deleted webhook hears nothing more.</p>
      <div class="row">
        <ActionButton visit={visit} action={`${pageOf(visit)}/secret/rotate`}>
          Rotate signing secret
        </ActionButton>
        <ActionButton visit={visit} action={`${pageOf(visit)}/delete`} tone="danger">
          Delete this webhook
        </ActionButton>
      </div>
    </div>
  </Card>
)
