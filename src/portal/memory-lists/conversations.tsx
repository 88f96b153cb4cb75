import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { Page } from '../../core/http/cursor.ts'
import type { MemoryConversation } from '../../memory/index.ts'
import { Time } from '../components/elements.tsx'
import { Field } from '../components/fields.tsx'
import { attempt } from '../form.ts'
import { counted, listProjects, projectIn } from '../lists.ts'
import { renderPage } from '../respond.tsx'
import { page } from '../route.ts'
import { chatPath } from './chat-path.ts'
import { MemoryList } from './memory-list.tsx'

const PATH = '/portal/conversations'

/** The conversations of a project, the one with the newest turn first. */
export const conversationsRoute = page(PATH, async (ctx) => {
  const asked = ctx.url.searchParams
  const projects = await listProjects(ctx)
  const projectId = projectIn(ctx, projects)
  const namespace = asked.get('namespace')?.trim() ?? ''
  const query = { project_id: projectId, namespace: namespace || '*', limit: 20, cursor: asked.get('cursor') ?? '' }
  const found =
    projectId === '' ? null : await attempt(ctx.api.get<Page<MemoryConversation>>('/v1/memory/conversations', query))
  return renderPage(
    ctx,
    <MemoryList
      ctx={ctx}
      path={PATH}
      title="Conversations"
      lead="What users and assistants said, as an app or an agent sent it."
      icon="agent"
      projects={projects}
      projectId={projectId}
      found={found}
      filter={<Field name="namespace" label="Namespace" placeholder="All" value={namespace} />}
      isFiltered={namespace !== ''}
      whenEmpty={
        <p>
          <a href="/portal/agents">Connect an agent</a>, or send the messages of a chat to{' '}
          <code>POST /v1/memory/ingest</code>.
        </p>
      }
      shown={(conversations) => (
        <ul class="list">
          {conversations.map((one) => (
            <li>
              <Conversation conversation={one} />
            </li>
          ))}
        </ul>
      )}
    />,
  )
})

const Conversation: FC<{ conversation: MemoryConversation }> = ({ conversation }) => {
  const { conversation_id, namespace, turns, turns_truncated, last_at, subject, first_line } = conversation
  return (
    <>
      <a class="table-title clip" href={chatPath(conversation)}>
        <Visible text={first_line === '' ? conversation_id : first_line} />
      </a>
      <div class="row small muted">
        <span>
          {counted(turns, turns_truncated)} {turns === 1 ? 'turn' : 'turns'}
        </span>
        <span>
          last <Time at={last_at} />
        </span>
        {subject !== null && (
          <span>
            about <Visible text={subject} />
          </span>
        )}
        {namespace !== 'default' && <span>in {namespace}</span>}
        <code>
          <Visible text={conversation_id} />
        </code>
      </div>
    </>
  )
}
