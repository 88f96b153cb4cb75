import type { FC } from 'hono/jsx'
import type { Delivery } from '../../events/index.ts'
import { Id } from '../components/id.tsx'
import { Empty, Time } from '../components/elements.tsx'
import { ActionButton } from '../components/forms.tsx'
import { withParameter } from '../components/pager.tsx'
import { Table } from '../components/table.tsx'
import type { PageContext } from '../page-context.ts'
import { DeliveryBadge, lastAnswerOf } from './delivery-status.tsx'

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
      <p>Send a test event, or store a memory: each matching event appears here with its attempts.</p>
    </Empty>
  ) : (
    <Table columns={['Event', 'Status', 'Attempts', 'Last response', 'When']} actions>
      {deliveries.map((delivery) => (
        <Row ctx={ctx} delivery={delivery} />
      ))}
    </Table>
  )

const Row: FC<{ ctx: PageContext; delivery: Delivery }> = ({ ctx, delivery }) => {
  const path = `/portal/webhooks/${delivery.subscription_id}/deliveries/${delivery.id}`
  return (
    <tr>
      <td class="lead" data-label="Event">
        <a class="table-title" href={path}>
          {delivery.event_type}
        </a>
        <span class="table-sub">
          <Id of={delivery.id} />
        </span>
      </td>
      <td data-label="Status">
        <DeliveryBadge delivery={delivery} />
      </td>
      <td data-label="Attempts">{delivery.attempts}</td>
      <td data-label="Last response">{lastAnswerOf(delivery)}</td>
      <td data-label="When">
        {delivery.delivered_at ? (
          <Time at={delivery.delivered_at} />
        ) : delivery.next_attempt_at ? (
          <span>
            next: <Time at={delivery.next_attempt_at} />
          </span>
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
