import type { FC } from 'hono/jsx'
import type { Grant } from '../../auth/index.ts'
import type { Page } from '../../core/http/cursor.ts'
import { Code } from '../components/code.tsx'
import { Card, Empty, Notice } from '../components/elements.tsx'
import { GrantList } from '../components/grant-list.tsx'
import { Shell } from '../components/shell.tsx'
import type { PageContext } from '../page-context.ts'
import { redirectWithFlash, renderPage } from '../respond.tsx'
import { formAction, page } from '../route.ts'
import { agentClients, type AgentClient, type Snippet } from './clients.ts'

const PATH = '/portal/agents'
/** As many as one page of a list may hold. */
const MAX_GRANTS = '100'

export const agentRoutes = [
  page(PATH, async (ctx) => {
    const grants = await ctx.api.get<Page<Grant>>('/v1/grants', { limit: MAX_GRANTS })
    const url = `${ctx.origin}/mcp`
    const isPublic = new URL(url).protocol === 'https:'
    return renderPage(
      ctx,
      <Shell
        ctx={ctx}
        title="Connect an agent"
        current={PATH}
        lead="Paste one address into your agent, sign in, and it remembers. The protocol is MCP, the Model Context Protocol."
      >
        <Card title="The address" lead="An agent that can sign in needs nothing else.">
          <div class="card-body">
            <Code label="Address of the MCP server" text={url} />
            <p class="small muted">
              For only one project, add its id: <code>{url}/prj_…</code>
            </p>
            {!isPublic && (
              <Notice tone="warn" title="This service runs on your computer.">
                Claude and ChatGPT connect from their vendors' servers, so they can reach only a public https address.
                Agents on this computer connect as shown.
              </Notice>
            )}
          </div>
        </Card>
        <Card
          title="Your agent"
          lead={
            <>
              Signing in is best for a person. A key is for agents that run without a person: it needs{' '}
              <code>read:memory</code>, and <code>write:memory</code> to remember.{' '}
              <a href="/portal/keys/new">Create a key</a> for each agent.
            </>
          }
        >
          <ul class="list">
            {agentClients(url).map((client) => (
              <Client client={client} isPublic={isPublic} />
            ))}
          </ul>
        </Card>
        <ConnectedAgents ctx={ctx} grants={grants} />
      </Shell>,
    )
  }),

  formAction(`${PATH}/:id/disconnect`, async (ctx) => {
    await ctx.api.delete(`/v1/grants/${ctx.params['id']}`)
    return redirectWithFlash(ctx, PATH, { tone: 'ok', text: 'The agent is disconnected.' })
  }),
]

const Client: FC<{ client: AgentClient; isPublic: boolean }> = ({ client, isPublic }) => (
  <li>
    <details class="disclosure" name="agent">
      <summary>{client.name}</summary>
      <div class="stack">
        {client.hosted && !isPublic && <p class="small muted">It can reach only a public https address.</p>}
        {client.button && (
          <p>
            <a class="button button-small" href={client.button.href}>
              {client.button.label}
            </a>
          </p>
        )}
        <Way title="Sign in" agent={client.name} snippet={client.signIn} />
        {client.key ? (
          <Way title="With an API key" agent={client.name} snippet={client.key} />
        ) : (
          <p class="small muted">It does not support API keys.</p>
        )}
      </div>
    </details>
  </li>
)

const Way: FC<{ title: string; agent: string; snippet: Snippet }> = ({ title, agent, snippet }) => (
  <div>
    <p class="small">
      <strong>{title}</strong>: {snippet.label}
    </p>
    <Code label={`${title}: ${agent}`} text={snippet.text} />
  </div>
)

const ConnectedAgents: FC<{ ctx: PageContext; grants: Page<Grant> }> = ({ ctx, grants }) => {
  const agents = grants.data.filter((grant) => grant.agent)
  return (
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
  )
}
