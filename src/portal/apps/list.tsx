import { Visible, type App } from '../../auth/index.ts'
import { renderPage } from '../respond.tsx'
import { Pager } from '../components/pager.tsx'
import { Id } from '../components/id.tsx'
import { Badge, Card, Empty, Time } from '../components/elements.tsx'
import { Shell } from '../components/shell.tsx'
import { Table } from '../components/table.tsx'
import { page } from '../route.ts'
import type { Page } from '../../core/http/cursor.ts'

export const appListRoute = page('/portal/apps', async (ctx) => {
  const apps = await ctx.api.get<Page<App>>('/v1/apps', { cursor: ctx.url.searchParams.get('cursor') ?? '' })
  const create = (
    <a class="button button-primary" href="/portal/apps/new">
      Create app
    </a>
  )
  return renderPage(
    ctx,
    <Shell
      ctx={ctx}
      title="OAuth apps"
      current="/portal/apps"
      lead="For products that other people connect to their own memories: they approve, and your app gets a token."
      actions={create}
    >
      <Card>
        {apps.data.length === 0 ? (
          <Empty icon="app" title="No apps yet">
            <p>
              Register your product with the address that people return to. Libraries find everything else at{' '}
              <code>{ctx.origin}/.well-known/oauth-authorization-server</code>.
            </p>
            {create}
          </Empty>
        ) : (
          <Table columns={['Name', 'Client id', 'Kind', 'Created']}>
            {apps.data.map((app) => (
              <tr>
                <td class="lead" data-label="Name">
                  <a class="table-title" href={`/portal/apps/${app.id}`}>
                    <Visible text={app.name} />
                  </a>
                </td>
                <td data-label="Client id">
                  <Id of={app.client_id} />
                </td>
                <td data-label="Kind">
                  <Badge plain>{app.type === 'public' ? 'Public' : 'Confidential'}</Badge>
                </td>
                <td data-label="Created">
                  <Time at={app.created_at} />
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Card>
      <Pager url={ctx.url} next={apps.next_cursor} />
    </Shell>,
  )
})
