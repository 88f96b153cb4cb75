import type { Child, FC } from 'hono/jsx'
import { Visible, type Grant } from '../../auth/index.ts'
import type { Page } from '../../core/http/cursor.ts'
import type { Key, Project } from '../../identity/index.ts'
import type { MemoryConversation, MemoryNamespace, MemorySubject } from '../../memory/index.ts'
import { Card, Facts } from '../components/elements.tsx'
import { Id } from '../components/id.tsx'
import type { PageContext } from '../page-context.ts'

/** The first page of each list of a project, and who can reach it. */
export interface Contents {
  namespaces: Page<MemoryNamespace>
  subjects: Page<MemorySubject>
  conversations: Page<MemoryConversation>
  keys: Key[]
  agents: Grant[]
}

const FIRST = 100

export async function readContents({ api }: PageContext, projectId: string): Promise<Contents> {
  const of = { project_id: projectId }
  const [namespaces, subjects, conversations, keys, grants] = await Promise.all([
    api.get<Page<MemoryNamespace>>('/v1/memory/namespaces', { ...of, include: 'counts' }),
    api.get<Page<MemorySubject>>('/v1/memory/subjects', { ...of, limit: FIRST }),
    api.get<Page<MemoryConversation>>('/v1/memory/conversations', { ...of, namespace: '*', limit: FIRST }),
    api.get<Page<Key>>('/v1/api-keys', { limit: FIRST }),
    api.get<Page<Grant>>('/v1/grants', { limit: FIRST }),
  ])
  return {
    namespaces,
    subjects,
    conversations,
    keys: keys.data.filter((key) => key.permissions?.some((one) => one.project_id === projectId) ?? true),
    agents: grants.data.filter((grant) => grant.agent),
  }
}

/** What a project holds, and who reaches it at which address. */
export const ContentsCard: FC<{ ctx: PageContext; project: Project; contents: Contents }> = (props) => {
  const { ctx, project, contents } = props
  const { namespaces, subjects, conversations, keys, agents } = contents
  const items = namespaces.data.reduce((sum, one) => sum + (one.items ?? 0), 0)
  const isCut = namespaces.has_more || namespaces.data.some((one) => one.items_truncated)
  const listed = (path: string, page: Page<unknown>): Child => (
    <a href={`${path}?project_id=${project.id}`}>{counted(page.data.length, page.has_more)}</a>
  )
  return (
    <Card title="What it holds">
      <div class="card-body">
        <Facts
          rows={[
            ['Memories', <a href={`/portal/memory?project_id=${project.id}`}>{counted(items, isCut)}</a>],
            ['Namespaces', listed('/portal/namespaces', namespaces)],
            ['Conversations', listed('/portal/conversations', conversations)],
            ['Subjects', listed('/portal/erasures/subjects', subjects)],
            ['Address for agents', <Id of={`${ctx.origin}/mcp/${project.id}`} />],
            ['Your keys', <Names of={keys.map(({ id, name }) => ({ name, href: `/portal/keys/${id}` }))} />],
            [
              'Your agents',
              <Names of={agents.map(({ application }) => ({ name: application.name, href: '/portal/agents' }))} />,
            ],
          ]}
        />
      </div>
    </Card>
  )
}

const counted = (count: number, isCut: boolean | undefined): string =>
  `${count.toLocaleString('en-US')}${isCut ? ' or more' : ''}`

/** Links of a row. More than these do not fit it. */
const SHOWN_NAMES = 12

const Names: FC<{ of: readonly { name: string; href: string }[] }> = ({ of }) =>
  of.length === 0 ? (
    <span class="muted">None</span>
  ) : (
    <ul class="tags">
      {of.slice(0, SHOWN_NAMES).map(({ name, href }) => (
        <li>
          <a href={href}>
            <Visible text={name} />
          </a>
        </li>
      ))}
      {of.length > SHOWN_NAMES && <li class="muted">and {of.length - SHOWN_NAMES} more</li>}
    </ul>
  )
