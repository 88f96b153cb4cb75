import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { Page } from '../../core/http/cursor.ts'
import type { MemoryConversation } from '../../memory/index.ts'
import { Card, Notice, Time } from '../components/elements.tsx'
import { Field } from '../components/fields.tsx'
import { MemoryTabs } from './tabs.tsx'
import { Pager } from '../components/pager.tsx'
import { ProjectFilter } from './project-filter.tsx'
import { Shell } from '../components/shell.tsx'
import { attempt } from '../form.ts'
import { counted, listOf, listProjects, projectIn } from '../lists.ts'
import { renderPage } from '../respond.tsx'
import { page } from '../route.ts'
import { chatPath } from './chat-path.ts'
import { EmptyList } from './empty-list.tsx'

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
    <Shell
      ctx={ctx}
      title="Conversations"
      current="/portal/memory"
      lead="What users and assistants said, as an app or an agent sent it."
    >
      <MemoryTabs current={PATH} projectId={projectId} />
      <ProjectFilter path={PATH} label="Conversations" projects={projects} projectId={projectId}>
        <Field name="namespace" label="Namespace" placeholder="All" value={namespace} />
      </ProjectFilter>
      {found && !found.ok && <Notice tone="danger">{found.error.detail}</Notice>}
      {found?.ok && (
        <>
          <Card>
            {found.value.data.length === 0 ? (
              <EmptyList
                icon="agent"
                what="conversations"
                page={found.value}
                url={ctx.url}
                unfiltered={namespace === '' ? null : listOf(PATH, projectId)}
              >
                <p>
                  <a href="/portal/agents">Connect an agent</a>, or send the messages of a chat to{' '}
                  <code>POST /v1/memory/ingest</code>.
                </p>
              </EmptyList>
            ) : (
              <ul class="list">
                {found.value.data.map((one) => (
                  <li>
                    <Conversation conversation={one} />
                  </li>
                ))}
              </ul>
            )}
          </Card>
          <Pager url={ctx.url} next={found.value.next_cursor} />
        </>
      )}
    </Shell>,
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
