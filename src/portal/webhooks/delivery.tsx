import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { Page } from '../../core/http/cursor.ts'
import type { Attempt, Delivery, DeliveryRequest } from '../../events/index.ts'
import { Id } from '../components/id.tsx'
import { Code } from '../components/code.tsx'
import { Badge, Card, Empty, Facts, Time } from '../components/elements.tsx'
import { ActionButton } from '../components/forms.tsx'
import { Shell } from '../components/shell.tsx'
import { attempt } from '../form.ts'
import type { PageContext } from '../page-context.ts'
import { redirectWithFlash, renderPage } from '../respond.tsx'
import { formAction, page } from '../route.ts'
import { curlOf } from './by-hand.ts'
import { DeliveryBadge, inWords, isBrokenOff } from './delivery-status.tsx'

const backOf = (ctx: PageContext): string => `/portal/webhooks/${ctx.params['id']}`

export const deliveryRoutes = [
  page('/portal/webhooks/:id/deliveries/:delivery_id', async (ctx) => {
    const path = `/v1/events/deliveries/${ctx.params['delivery_id']}`
    const [delivery, attempts, request] = await Promise.all([
      ctx.api.get<Delivery>(path),
      ctx.api.get<Page<Attempt>>(`${path}/attempts`, { limit: 100 }),
      attempt(ctx.api.get<DeliveryRequest>(`${path}/request`), [404]),
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
      >
        <Card>
          <div class="card-body">
            <DeliveryFacts delivery={delivery} />
          </div>
        </Card>
        <div class="grid-2 grid-wide">
          <Sent request={request.ok ? request.value : null} last={attempts.data[0]} />
          <CameBack attempts={attempts.data} />
        </div>
        {request.ok && <ByHand request={request.value} />}
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
      ['Event id', <Id of={delivery.event_id} />],
      ['Delivery id', <Id of={delivery.id} />],
      ['Created', <Time at={delivery.created_at} />],
      ...(delivery.next_attempt_at ? [['Next attempt', <Time at={delivery.next_attempt_at} />] as const] : []),
      ...(delivery.delivered_at ? [['Delivered', <Time at={delivery.delivered_at} />] as const] : []),
    ]}
  />
)

const Sent: FC<{ request: DeliveryRequest | null; last: Attempt | undefined }> = ({ request, last }) => (
  <Card
    title="Sent"
    lead={last ? 'The same in every attempt, except for time and signature.' : 'Nothing yet. This will go out.'}
  >
    {request === null ? (
      <Empty icon="webhook" title="No longer here">
        <p>The event is no longer stored, or you can no longer receive it.</p>
      </Empty>
    ) : (
      <div class="card-body">
        <Code label="Address and headers" text={headOf(request, last)} />
        <Code label="Body" text={JSON.stringify(JSON.parse(request.body), null, 2)} />
        <p class="small muted">
          The body is formatted for reading. The command below sends it as it is. The address is the current address of
          the webhook.
        </p>
      </div>
    )}
  </Card>
)

/** Address and headers as text. Of the signature the time is known; the values of custom headers are sealed. */
function headOf({ method, url, headers, custom_headers }: DeliveryRequest, last: Attempt | undefined): string {
  const at = last ? String(Math.floor(Date.parse(last.started_at) / 1_000)) : 'the time of the attempt'
  const fixed = Object.entries(headers).filter(([name]) => name !== 'webhook-timestamp' && name !== 'webhook-signature')
  return [
    `${method} ${url}`,
    ...fixed.map(([name, value]) => `${name}: ${value}`),
    `webhook-timestamp: ${at}`,
    'webhook-signature: v1,…',
    ...custom_headers.map((name) => `${name}: … (not shown)`),
  ].join('\n')
}

const CameBack: FC<{ attempts: readonly Attempt[] }> = ({ attempts }) => (
  <Card title="Responses" lead="Newest first, kept for 30 days.">
    {attempts.length === 0 ? (
      <Empty icon="webhook" title="Not sent yet">
        <p>It is due now. Reload in a moment.</p>
      </Empty>
    ) : (
      <ol class="list">
        {attempts.map((one) => (
          <li>
            <div class="row">
              <strong>Attempt {one.number}</strong>
              <Badge tone={one.error === null ? 'ok' : isBrokenOff(one) ? 'warn' : 'danger'}>{answerOf(one)}</Badge>
              <span class="small muted">{one.duration_ms} ms</span>
              <span class="small muted">
                <Time at={one.started_at} />
              </span>
            </div>
            {one.error && <p class="muted">{isBrokenOff(one) ? brokenOff(one) : inWords(one.error)}</p>}
            {one.response !== '' && <Code label={`Response to attempt ${one.number}`} text={one.response} />}
          </li>
        ))}
      </ol>
    )}
  </Card>
)

/** A success whose answer never arrived whole. */
const brokenOff = ({ error }: Attempt): string =>
  `The status arrived, and ${error === 'timeout' ? 'the deadline passed' : 'the connection ended'} before the whole response did. It counts as a failure.`

const answerOf = (one: Attempt): string =>
  one.status_code === null
    ? 'No response'
    : isBrokenOff(one)
      ? `${one.status_code}, then interrupted`
      : String(one.status_code)

const ByHand: FC<{ request: DeliveryRequest }> = ({ request }) => {
  const signed = 'webhook-signature' in request.headers
  return (
    <Card
      title="Send it by hand"
      lead={
        signed
          ? 'Signed when this page was loaded. Receivers accept it for five minutes: reload for a new signature.'
          : 'You cannot read the signing secret, so set $TIMESTAMP and $SIGNATURE yourself.'
      }
    >
      <div class="card-body">
        <Code label="Command that sends it" text={curlOf(request)} />
        {request.custom_headers.length > 0 && (
          <p class="small muted">
            The values of <Visible text={request.custom_headers.join(', ')} /> are not shown: set them in your shell.
          </p>
        )}
      </div>
    </Card>
  )
}
