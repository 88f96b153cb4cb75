import { Visible } from '../../auth/index.ts'
import { renderPage } from '../respond.tsx'
import { Id } from '../components/id.tsx'
import { Snippets } from '../components/snippets.tsx'
import { VERIFICATION } from '../snippets/webhooks.ts'
import { Pager } from '../components/pager.tsx'
import { Card, Empty, Time } from '../components/elements.tsx'
import { Shell } from '../components/shell.tsx'
import { Table } from '../components/table.tsx'
import { page } from '../route.ts'
import { MAX_SUBSCRIPTIONS, type SubscriptionPage } from '../../events/index.ts'
import { HealthBadge, readLastDay, successOf } from './health.tsx'

export const webhookListRoute = page('/portal/webhooks', async (ctx) => {
  const cursor = ctx.url.searchParams.get('cursor') ?? ''
  const [list, lastDay] = await Promise.all([
    ctx.api.get<SubscriptionPage>('/api/events/subscriptions', { cursor }),
    readLastDay(ctx),
  ])
  const create = (
    <a class="button button-primary" href="/portal/webhooks/new">
      Add webhook
    </a>
  )
  return renderPage(
    ctx,
    <Shell
      ctx={ctx}
      title="Webhooks"
      current="/portal/webhooks"
      lead="Your server receives each event as a signed request, which is retried until it arrives."
      actions={create}
    >
      <Card>
        {list.subscriptions.length === 0 ? (
          <Empty icon="webhook" title="No webhooks yet">
            <p>Add the address of your server. The server checks the signature, following Standard Webhooks:</p>
            <Snippets id="verify" label="Checking a signature" snippets={VERIFICATION} />
            {create}
          </Empty>
        ) : (
          <Table columns={['Address', 'Channels', 'Created', 'Last 24 hours', 'Status']}>
            {list.subscriptions.map((one, at) => (
              <tr>
                <td class="lead" data-label="Address">
                  <a class="table-title" href={`/portal/webhooks/${one.subscription_id}`}>
                    <Visible text={one.delivery.url} />
                  </a>
                  <span class="table-sub">
                    <Id of={one.subscription_id} />
                  </span>
                </td>
                <td data-label="Channels">{one.channels.join(', ')}</td>
                <td data-label="Created">
                  <Time at={one.created_at} />
                </td>
                <td data-label="Last 24 hours">
                  {
                    // The series holds the newest webhooks, with which the first page begins.
                    successOf(lastDay, one.subscription_id, cursor === '' && at < MAX_SUBSCRIPTIONS)
                  }
                </td>
                <td data-label="Status">
                  <HealthBadge subscription={one} lastDay={lastDay} now={ctx.system.now()} />
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Card>
      <Pager url={ctx.url} next={list.next_cursor} />
    </Shell>,
  )
})
