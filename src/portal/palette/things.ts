import { pageHeaders, type App } from '../../auth/index.ts'
import type { Page } from '../../core/http/cursor.ts'
import type { SubscriptionPage } from '../../events/index.ts'
import type { Key } from '../../identity/index.ts'
import { listProjects, listWorkspaces } from '../lists.ts'
import { page } from '../route.ts'

/** Something with a page of its own, as the palette lists it. */
interface Thing {
  label: string
  /** What it is. */
  kind: string
  href: string
}

/** As many of each kind as one page of a list holds. */
const LIMIT = 100

/** What the palette finds besides the pages: the newest things of each kind, as JSON for the script. */
export const thingsRoute = page('/portal/things', async (ctx) => {
  const { api } = ctx
  const [projects, workspaces, keys, apps, webhooks] = await Promise.all([
    listProjects(ctx),
    listWorkspaces(ctx),
    api.get<Page<Key>>('/v1/api-keys', { limit: LIMIT }),
    api.get<Page<App>>('/v1/apps', { limit: LIMIT }),
    api.get<SubscriptionPage>('/api/events/subscriptions', { limit: LIMIT }),
  ])
  const named = (kind: string, path: string, list: readonly { id: string; name: string }[]): Thing[] =>
    list.map(({ id, name }) => ({ label: name, kind, href: `${path}/${id}` }))
  const things: Thing[] = [
    ...named('Project', '/portal/projects', projects),
    ...projects.map(({ id, name }) => ({ label: name, kind: 'Memories', href: `/portal/memory?project_id=${id}` })),
    ...named('Workspace', '/portal/workspaces', workspaces),
    ...named('API key', '/portal/keys', keys.data),
    ...named('OAuth app', '/portal/apps', apps.data),
    ...webhooks.subscriptions.map(({ subscription_id, delivery }) => ({
      label: delivery.url,
      kind: 'Webhook',
      href: `/portal/webhooks/${subscription_id}`,
    })),
  ]
  return Response.json({ things }, { headers: { ...pageHeaders(), 'Content-Type': 'application/json' } })
})
