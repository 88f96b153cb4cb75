import type { FC } from 'hono/jsx'
import { redirectWithFlash, renderPage } from '../respond.tsx'
import { attempt } from '../form.ts'
import { Code } from '../components/code.tsx'
import { withParameter } from '../components/pager.tsx'
import { Badge, Card, Empty, Facts, Time } from '../components/elements.tsx'
import { ActionButton } from '../components/forms.tsx'
import { Shell } from '../components/shell.tsx'
import { Table } from '../components/table.tsx'
import type { PageContext } from '../page-context.ts'
import { formAction, page } from '../route.ts'
import type { Page } from '../../core/http/cursor.ts'
import type { Attempt, Delivery } from '../../events/index.ts'
import { DELIVERY_STATUS } from './labels.ts'

const FILTERS = [
  ['', 'All'],
  ['delivered', 'Delivered'],
  ['pending', 'Due'],
  ['waiting', 'Held'],
  ['failed', 'Failed'],
  ['expired', 'Expired'],
] as const

export const DeliveryTabs: FC<{ url: URL }> = ({ url }) => {
  const chosen = url.searchParams.get('status') ?? ''
  const first = new URL(withParameter(url, 'cursor', null), url)
  return (
    <nav class="tabs" aria-label="Deliveries by status">
      {FILTERS.map(([status, label]) => (
        <a
          href={withParameter(first, 'status', status === '' ? null : status)}
          aria-current={status === chosen ? 'true' : undefined}
        >
          {label}
        </a>
      ))}
    </nav>
  )
}

export const DeliveryTable: FC<{ ctx: PageContext; deliveries: readonly Delivery[] }> = ({ ctx, deliveries }) =>
  deliveries.length === 0 ? (
    <Empty icon="webhook" title="No deliveries here">
      <p>Send a test event, or store a memory: each event that fits shows up with its attempts.</p>
    </Empty>
  ) : (
    <Table columns={['Event', 'Status', 'Attempts', 'Last answer', 'When']} actions>
      {deliveries.map((delivery) => (
        <Row ctx={ctx} delivery={delivery} />
      ))}
    </Table>
  )

const DeliveryBadge: FC<{ delivery: Delivery }> = ({ delivery }) => {
  const { label, tone } = DELIVERY_STATUS[delivery.status]
  return (
    <Badge tone={tone} busy={delivery.status === 'sending'}>
      {label}
    </Badge>
  )
}

const Row: FC<{ ctx: PageContext; delivery: Delivery }> = ({ ctx, delivery }) => {
  const path = `/portal/webhooks/${delivery.subscription_id}/deliveries/${delivery.id}`
  return (
    <tr>
      <td class="lead" data-label="Event">
        <a class="table-title" href={path}>
          {delivery.event_type}
        </a>
        <span class="table-sub">
          <code>{delivery.id}</code>
        </span>
      </td>
      <td data-label="Status">
        <DeliveryBadge delivery={delivery} />
      </td>
      <td data-label="Attempts">{delivery.attempts}</td>
      <td data-label="Last answer">{delivery.last_status_code ?? inWords(delivery.last_error ?? 'none_yet')}</td>
      <td data-label="When">
        {delivery.delivered_at ? (
          <Time at={delivery.delivered_at} />
        ) : delivery.next_attempt_at ? (
          <>
            next: <Time at={delivery.next_attempt_at} />
          </>
        ) : (
          <Time at={delivery.created_at} />
        )}
      </td>
      <td class="end">
        {(delivery.status === 'failed' || delivery.status === 'expired') && (
          <ActionButton ctx={ctx} action={`${path}/retry`} small>
            Retry<span class="sr-only"> {delivery.id}</span>
          </ActionButton>
        )}
      </td>
    </tr>
  )
}

const backOf = (ctx: PageContext): string => `/portal/webhooks/${ctx.params['id']}`

export const deliveryRoutes = [
  page('/portal/webhooks/:id/deliveries/:delivery_id', async (ctx) => {
    const path = `/v1/events/deliveries/${ctx.params['delivery_id']}`
    const [delivery, attempts] = await Promise.all([
      ctx.api.get<Delivery>(path),
      ctx.api.get<Page<Attempt>>(`${path}/attempts`, { limit: 100 }),
    ])
    return renderPage(
      ctx,
      <Shell
        ctx={ctx}
        title="Delivery"
        current="/portal/webhooks"
        crumb={{ href: backOf(ctx), label: 'Webhook' }}
        actions={
          <ActionButton ctx={ctx} action={`${ctx.url.pathname}/retry`} tone="primary">
            Send again
          </ActionButton>
        }
        narrow
      >
        <Card>
          <div class="card-body">
            <DeliveryFacts delivery={delivery} />
          </div>
        </Card>
        <Attempts attempts={attempts.data} />
      </Shell>,
    )
  }),

  formAction('/portal/webhooks/:id/deliveries/:delivery_id/retry', async (ctx) => {
    const asked = await attempt(ctx.api.post(`/v1/events/deliveries/${ctx.params['delivery_id']}/retry`))
    return redirectWithFlash(
      ctx,
      backOf(ctx),
      asked.ok ? { tone: 'ok', text: 'It is being sent again.' } : { tone: 'danger', text: asked.error.detail },
    )
  }),
]

const DeliveryFacts: FC<{ delivery: Delivery }> = ({ delivery }) => (
  <Facts
    rows={[
      ['Status', <DeliveryBadge delivery={delivery} />],
      ['Event', <code>{delivery.event_type}</code>],
      ['Event id', <code>{delivery.event_id}</code>],
      ['Delivery id', <code>{delivery.id}</code>],
      ['Created', <Time at={delivery.created_at} />],
      ...(delivery.next_attempt_at ? [['Next attempt', <Time at={delivery.next_attempt_at} />] as const] : []),
      ...(delivery.delivered_at ? [['Delivered', <Time at={delivery.delivered_at} />] as const] : []),
    ]}
  />
)

const Attempts: FC<{ attempts: readonly Attempt[] }> = ({ attempts }) => (
  <Card title="Attempts" lead="Newest first, kept for 30 days.">
    {attempts.length === 0 ? (
      <Empty icon="webhook" title="Not sent yet">
        <p>It is due. Reload in a moment.</p>
      </Empty>
    ) : (
      <ol class="list">
        {attempts.map((one) => (
          <li>
            <div class="row">
              <strong>Attempt {one.number}</strong>
              <Badge tone={succeeded(one) ? 'ok' : 'danger'}>
                {one.status_code === null ? 'No answer' : String(one.status_code)}
              </Badge>
              <span class="small muted">{one.duration_ms} ms</span>
              <span class="small muted">
                <Time at={one.started_at} />
              </span>
            </div>
            {one.error && <p class="muted">{inWords(one.error)}</p>}
            {one.response !== '' && <Code label={`Answer to attempt ${one.number}`} text={one.response} />}
          </li>
        ))}
      </ol>
    )}
  </Card>
)

/** `connection_failed` → `Connection failed`. */
const inWords = (error: string): string => {
  const words = error.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const succeeded = ({ status_code }: Attempt): boolean => status_code !== null && status_code >= 200 && status_code < 300
