import { Visible } from '../../auth/index.ts'
import { isAppError } from '../../core/errors.ts'
import { renderPage } from '../respond.tsx'
import { Id } from '../components/id.tsx'
import { Snippets } from '../components/snippets.tsx'
import { VERIFICATION } from '../snippets/webhooks.ts'
import { Pager } from '../components/pager.tsx'
import { Card, Empty, Time } from '../components/elements.tsx'
import { Shell } from '../components/shell.tsx'
import { Table } from '../components/table.tsx'
import type { PageContext } from '../page-context.ts'
import { page } from '../route.ts'
import { MAX_SUBSCRIPTIONS, type DeliverySeries, type SubscriptionPage } from '../../events/index.ts'
import { HealthBadge, readLastDay, successOf } from './health.tsx'

const PATH = '/portal/webhooks'

export const webhookListRoute = page(PATH, async (ctx) => {
  const asked = ctx.url.searchParams
  // The page shows those that deliver nothing, or all.
  const health = asked.get('health') === 'failing' ? 'failing' : ''
  const list = await ctx.api.get<SubscriptionPage>('/api/events/subscriptions', {
    health,
    cursor: asked.get('cursor') ?? '',
    limit: MAX_SUBSCRIPTIONS,
  })
  const { subscriptions } = list
  const isEmpty = subscriptions.length === 0
  const lastDay = isEmpty ? null : await lastDayOfAll(ctx, list)
  const create = (
    <a class="button button-primary" href={`${PATH}/new`}>
      Add webhook
    </a>
  )
  return renderPage(
    ctx,
    <Shell
      ctx={ctx}
      title="Webhooks"
      current={PATH}
      lead="Your server receives each event as a signed request, which is retried until it arrives."
      actions={create}
    >
      {health !== '' && (
        <p>
          Only those that do not deliver. <a href={PATH}>Show all webhooks</a>
        </p>
      )}
      <Card>
        {isEmpty && health !== '' ? (
          <Empty icon="webhook" title="Every webhook delivers" />
        ) : isEmpty ? (
          <Empty icon="webhook" title="No webhooks yet">
            <p>Add the address of your server. The server checks the signature, following Standard Webhooks:</p>
            <Snippets id="verify" label="Checking a signature" snippets={VERIFICATION} />
            {create}
          </Empty>
        ) : (
          <Table columns={['Address', 'Channels', 'Created', ...(lastDay ? ['Last 24 hours'] : []), 'Status']}>
            {subscriptions.map((one) => (
              <tr>
                <td class="lead" data-label="Address">
                  <a class="table-title" href={`${PATH}/${one.subscription_id}`}>
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
                {lastDay && <td data-label="Last 24 hours">{successOf(lastDay, one.subscription_id)}</td>}
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

/** Null if one of the webhooks was deleted after the list was read: the API answers 404 for all of them. */
async function lastDayOfAll(ctx: PageContext, { subscriptions }: SubscriptionPage): Promise<DeliverySeries | null> {
  try {
    return await readLastDay(
      ctx,
      subscriptions.map(({ subscription_id }) => subscription_id),
    )
  } catch (error) {
    if (isAppError(error) && error.status === 404) return null
    throw error
  }
}
