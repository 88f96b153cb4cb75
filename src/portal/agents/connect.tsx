import type { FC } from 'hono/jsx'
import { Visible, type Grant } from '../../auth/index.ts'
import { iso } from '../../core/values/clock.ts'
import { notFound } from '../../core/errors.ts'
import type { Page } from '../../core/http/cursor.ts'
import { Code } from '../components/code.tsx'
import { Badge, Card, Empty, Notice } from '../components/elements.tsx'
import { GrantList } from '../components/grant-list.tsx'
import { Shell } from '../components/shell.tsx'
import type { PageContext } from '../page-context.ts'
import { redirectWithFlash, renderPage } from '../respond.tsx'
import { formAction, page } from '../route.ts'
import { agentClients, slugOf, type AgentClient } from './clients.ts'
import { connectedRoute, connectedSince, waitOf, waitQuery, type Wait } from './connected.ts'
import { agentKeyRoute, KeyWay } from './key.tsx'

const PATH = '/portal/agents'
/** As many as one page of a list may hold. */
const MAX_GRANTS = '100'

const addressOf = (ctx: PageContext): string => `${ctx.origin}/mcp`
const isPublic = (ctx: PageContext): boolean => ctx.origin.startsWith('https:')

/** The agent of a tab; 404 for any other name. */
function clientIn(ctx: PageContext, slug: string): AgentClient {
  const client = agentClients(addressOf(ctx)).find(({ name }) => slugOf(name) === slug)
  if (!client) throw notFound('agent', slug)
  return client
}

/** The open tab: the one that was asked for, else the first agent that can reach this service. */
function openClient(ctx: PageContext): AgentClient {
  const asked = ctx.url.searchParams.get('agent')
  if (asked !== null) return clientIn(ctx, asked)
  const clients = agentClients(addressOf(ctx))
  const reaching = clients.find(({ hosted }) => !hosted || isPublic(ctx))
  return reaching ?? clientIn(ctx, '')
}

export const agentRoutes = [
  page(PATH, async (ctx) => {
    const client = openClient(ctx)
    const wait = waitOf(ctx.url)
    const [grants, connected] = await Promise.all([
      ctx.api.get<Page<Grant>>('/v1/grants', { limit: MAX_GRANTS }),
      wait === null ? [] : connectedSince(ctx, wait),
    ])
    return renderPage(
      ctx,
      <Shell
        ctx={ctx}
        title="Connect an agent"
        current={PATH}
        lead="Paste one address into your agent, sign in, and it remembers. The protocol is MCP, the Model Context Protocol."
      >
        <TheAddress ctx={ctx} />
        <Card id="agent" title="Your agent" lead="Signing in is best for a person.">
          <div class="card-body">
            <AgentTabs ctx={ctx} open={client} />
            <Client ctx={ctx} client={client} />
            <Waiting
              name={client.name}
              wait={wait ?? { since: iso(ctx.system.now()), keyId: null }}
              connected={connected}
            />
          </div>
        </Card>
        <ConnectedAgents ctx={ctx} grants={grants} />
      </Shell>,
    )
  }),

  connectedRoute,

  agentKeyRoute(clientIn),

  formAction(`${PATH}/:id/disconnect`, async (ctx) => {
    await ctx.api.delete(`/v1/grants/${ctx.params['id']}`)
    return redirectWithFlash(ctx, PATH, { tone: 'ok', text: 'The agent is disconnected.' })
  }),
]

const TheAddress: FC<{ ctx: PageContext }> = ({ ctx }) => {
  const url = addressOf(ctx)
  return (
    <Card title="The address" lead="An agent that can sign in needs nothing else.">
      <div class="card-body">
        <Code label="Address of the MCP server" text={url} />
        <p class="small muted">
          For only one project, add its id: <code>{url}/prj_…</code>
        </p>
        {!isPublic(ctx) && (
          <Notice tone="warn" title="This service runs on your computer.">
            Claude and ChatGPT connect from their vendors' servers, so they can reach only a public https address.
            Agents on this computer connect as shown.
          </Notice>
        )}
      </div>
    </Card>
  )
}

/** One tab for each agent, as a link: choosing one needs no script. */
const AgentTabs: FC<{ ctx: PageContext; open: AgentClient }> = ({ ctx, open }) => (
  <nav class="agent-tabs" aria-label="Agents">
    {agentClients(addressOf(ctx)).map(({ name, mark = markOf(name) }) => (
      <a href={`${PATH}?agent=${slugOf(name)}#agent`} aria-current={name === open.name ? 'true' : undefined}>
        <span class="agent-mark" aria-hidden="true">
          {mark}
        </span>
        {name}
      </a>
    ))}
  </nav>
)

/** Two letters: the first ones of its words, or of its only word. */
const markOf = (name: string): string => {
  const [first = '', second] = name.split(' ')
  return second === undefined ? first.slice(0, 2) : `${first.charAt(0)}${second.charAt(0).toUpperCase()}`
}

const Client: FC<{ ctx: PageContext; client: AgentClient }> = ({ ctx, client }) => (
  <section class="agent" aria-label={client.name}>
    {client.hosted && !isPublic(ctx) && <p class="small muted">It can reach only a public https address.</p>}
    {client.button && (
      <p>
        <a class="button button-small" href={client.button.href}>
          {client.button.label}
        </a>
      </p>
    )}
    <div class="stack">
      <h3>Sign in</h3>
      <p class="small">{client.signIn.label}</p>
      <Code label={`Sign in: ${client.name}`} text={client.signIn.text} />
    </div>
    <KeyWay ctx={ctx} client={client} />
  </section>
)

interface WaitingProps {
  name: string
  wait: Wait
  connected: readonly string[]
}

/** Whether the agent has connected since the page was opened. The script asks for it; without one the page is reloaded. */
const Waiting: FC<WaitingProps> = ({ name, wait, connected }) =>
  connected.length > 0 ? (
    <p class="agent-state">
      <Badge tone="ok">
        Connected: <Visible text={connected.join(', ')} />
      </Badge>
    </p>
  ) : (
    <div class="agent-state" data-connected={`${PATH}/connected?${waitQuery(wait)}`}>
      <span class="js-only">
        <Badge tone="accent" busy>
          Waiting for {name} to connect
        </Badge>
      </span>
      <noscript>
        <p class="small muted">When {name} has connected, reload this page: it is listed below.</p>
      </noscript>
    </div>
  )

const ConnectedAgents: FC<{ ctx: PageContext; grants: Page<Grant> }> = ({ ctx, grants }) => {
  const agents = grants.data.filter((grant) => grant.agent)
  return (
    <div data-part="agents">
      <Card
        title="Connected agents"
        foot={
          grants.has_more && (
            <>
              These are the newest. See all of them under <a href="/portal/connected">Connected apps</a>.
            </>
          )
        }
      >
        {agents.length === 0 ? (
          <Empty icon="agent" title="No agent yet">
            <p>Agents that you allow are listed here, with their permissions and when they were last used.</p>
          </Empty>
        ) : (
          <GrantList ctx={ctx} grants={agents} path={PATH} />
        )}
      </Card>
    </div>
  )
}
