import type { Child, FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { SubscriptionPage } from '../../events/index.ts'
import type { Key } from '../../identity/index.ts'
import { renderPage } from '../respond.tsx'
import { Id } from '../components/id.tsx'
import { Card, Facts } from '../components/elements.tsx'
import { Shell } from '../components/shell.tsx'
import type { PageContext } from '../page-context.ts'
import { page } from '../route.ts'
import type { Page } from '../../core/http/cursor.ts'
import { listProjects } from '../lists.ts'
import { StoreSnippets } from '../components/store-snippets.tsx'
import { LastDay, readLastDay } from './last-day.tsx'
import { TroubledWebhooks } from '../webhooks/health.tsx'
import { listReceived, ReceivedInvitations } from '../workspaces/invitations.tsx'

interface Started {
  key: boolean
  memory: boolean
  webhook: boolean
}

/** The first steps with the user's own ids, and which are done. When all are done they move to the end of the page. */
export const overviewRoute = page('/portal', async (ctx) => {
  const [projects, keys, subscriptions, invitations] = await Promise.all([
    listProjects(ctx),
    ctx.api.get<Page<Key>>('/v1/api-keys', { limit: 1 }),
    ctx.api.get<SubscriptionPage>('/api/events/subscriptions', { limit: 100 }),
    listReceived(ctx),
  ])
  const project = projects.at(-1)
  const items = project
    ? await ctx.api.get<Page<unknown>>('/v1/memory/items', { project_id: project.id, namespace: '*', limit: 1 })
    : null
  const started = {
    key: keys.data.length > 0,
    memory: (items?.data.length ?? 0) > 0,
    webhook: subscriptions.total > 0,
  }
  const isDone = Object.values(started).every(Boolean)
  // A user who has started looks for what happens; a new user looks for what to do.
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
      <TroubledWebhooks subscriptions={subscriptions.subscriptions} />
      {lastDay ? (
        <LastDay now={ctx.system.now()} usage={lastDay} />
      ) : (
        <Steps ctx={ctx} started={started} projectId={project?.id ?? ''} />
      )}
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
      {isDone && <Steps ctx={ctx} started={started} projectId={project?.id ?? ''} />}
    </Shell>,
  )
})

const Steps: FC<{ ctx: PageContext; started: Started; projectId: string }> = ({ ctx, started, projectId }) => (
  <Card title="Get started" lead="Four steps to a memory that tells you when it changes.">
    <ol class="steps">
      <Step done={started.key} title="Create an API key" href="/portal/keys/new" link="Create key">
        Your program sends it in a header. It is shown once.
      </Step>
      <Step done={started.memory} title="Store a memory" href="/portal/memory?store" link="Store one here">
        <StoreSnippets origin={ctx.origin} projectId={projectId} />
      </Step>
      <Step done={started.memory} title="Find it by meaning" href="/portal/memory#search" link="Search here">
        It is found by keyword immediately, and by meaning as soon as its status is “completed”.
      </Step>
      <Step done={started.webhook} title="Receive changes" href="/portal/webhooks" link="Add a webhook">
        A signed request to your server for each event, which is retried until it arrives.
      </Step>
    </ol>
  </Card>
)

const Step: FC<{ done: boolean; title: string; href: string; link: string; children?: Child }> = (props) => (
  <li class={props.done ? 'done' : undefined}>
    <div class="step-body">
      <h3>
        {props.title}
        {props.done && <span class="sr-only"> (done)</span>}
      </h3>
      <div class="muted">{props.children}</div>
      <div>
        <a class="button button-small" href={props.href}>
          {props.link}
        </a>
      </div>
    </div>
  </li>
)
