import { Visible, type Grant } from '../../auth/index.ts'
import type { SubscriptionPage } from '../../events/index.ts'
import type { Key, Project } from '../../identity/index.ts'
import type { MemoryItem, Usage } from '../../memory/index.ts'
import { renderPage } from '../respond.tsx'
import { Id } from '../components/id.tsx'
import { Card, Facts } from '../components/elements.tsx'
import { Shell } from '../components/shell.tsx'
import type { PageContext } from '../page-context.ts'
import { page } from '../route.ts'
import type { Page } from '../../core/http/cursor.ts'
import { listProjects } from '../lists.ts'
import { KeyWarning } from './key-warning.tsx'
import { LastDay, readLastDay } from './last-day.tsx'
import { authorsOf } from '../memory/index.ts'
import { Newest, SearchBox, type NewestProps } from './memories.tsx'
import { Paths } from './paths.tsx'
import { readTroubled, TroubledWebhooks } from '../webhooks/health.tsx'
import { listReceived, ReceivedInvitations } from '../workspaces/invitations.tsx'

/** As many as one page of a list may hold. */
const MAX_LISTED = 100
const SHOWN_MEMORIES = 5
/** Projects that are looked into for memories: the first one and the newest. */
const MAX_PROJECTS = 3

/**
 * Two ways to begin, until one of them is done. Then what happens: the newest memories, a search, and the requests of
 * the last day.
 */
export const overviewRoute = page('/portal', async (ctx) => {
  const [projects, keys, { total: webhooks }, troubled, grants, invitations] = await Promise.all([
    listProjects(ctx),
    ctx.api.get<Page<Key>>('/v1/api-keys', { limit: MAX_LISTED }),
    ctx.api.get<SubscriptionPage>('/api/events/subscriptions', { limit: 1 }),
    readTroubled(ctx),
    ctx.api.get<Page<Grant>>('/v1/grants', { limit: MAX_LISTED }),
    listReceived(ctx),
  ])
  const project = projects.at(-1)
  const newest = await readNewest(ctx, projects)
  const started = {
    key: keys.data.length > 0,
    memory: newest !== null || (await storesElsewhere(ctx)),
    webhook: webhooks > 0,
    agent: grants.data.some((grant) => grant.agent),
  }
  const isDone = started.memory && (started.agent || (started.key && started.webhook))
  // Without its counts the page is still of use.
  const lastDay = isDone ? await readLastDay(ctx).catch(() => null) : null
  return renderPage(
    ctx,
    <Shell
      ctx={ctx}
      title="Overview"
      heading={
        <>
          Hello, <Visible text={ctx.me.name} />
        </>
      }
      current="/portal"
      lead="Store what your app learns, find it by meaning and by keyword, and receive an event for every change."
    >
      <ReceivedInvitations ctx={ctx} invitations={invitations} />
      <TroubledWebhooks troubled={troubled} />
      <KeyWarning keys={keys.data} now={ctx.system.now()} />
      {!isDone && <Paths origin={ctx.origin} projectId={project?.id ?? ''} started={started} />}
      {newest && (
        <>
          <SearchBox projectId={newest.projectId} />
          <Newest {...newest} />
        </>
      )}
      {lastDay && <LastDay now={ctx.system.now()} usage={lastDay} />}
      <div class="grid-2 grid-even">
        <Card title="Your ids">
          <div class="card-body">
            <Facts
              rows={[
                ['User', <Id of={ctx.me.id} />],
                ['Project', project ? <Id of={project.id} /> : 'None yet'],
                ['Workspace', project ? <Id of={project.workspace_id} /> : 'None yet'],
                ['Address', <Id of={ctx.origin} />],
              ]}
            />
          </div>
        </Card>
        <Card title="Learn more">
          <ul class="list">
            <li>
              <a href="/api-reference">API reference</a>
              <span class="small muted">Every endpoint, to read and try out</span>
            </li>
            <li>
              <a href="/api-reference/events">Events</a>
              <span class="small muted">Every event, over WebSocket and webhooks</span>
            </li>
            <li>
              <a href="/api-reference/errors">Errors</a>
              <span class="small muted">Every code, its cause and how to fix it</span>
            </li>
            <li>
              <a href="/portal/usage">Usage and limits</a>
              <span class="small muted">Your usage and your limits</span>
            </li>
          </ul>
        </Card>
      </div>
    </Shell>,
  )
})

/** The newest memories of the user's first project, or of one of the newest where that has none. */
async function readNewest(ctx: PageContext, projects: readonly Project[]): Promise<NewestProps | null> {
  const newestFirst = projects.slice(0, -1)
  for (const { id } of [...projects.slice(-1), ...newestFirst].slice(0, MAX_PROJECTS)) {
    const query = { project_id: id, namespace: '*', limit: SHOWN_MEMORIES }
    const { data } = await ctx.api.get<Page<MemoryItem>>('/v1/memory/items', query)
    if (data.length > 0) return { projectId: id, items: data, naming: await authorsOf(ctx, data) }
  }
  return null
}

/** Whether any project has a memory, also one that is not shown here. */
const storesElsewhere = async (ctx: PageContext): Promise<boolean> =>
  ((await ctx.api.get<Usage>('/v1/usage').catch(() => null))?.items.used ?? 0) > 0
