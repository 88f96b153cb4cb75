import type { Child, FC } from 'hono/jsx'
import { Visible, type Grant } from '../../auth/index.ts'
import type { Page } from '../../core/http/cursor.ts'
import type { Key, Project } from '../../identity/index.ts'
import type { MemoryConversation, MemoryNamespace, MemorySubject } from '../../memory/index.ts'
import { Card, Facts } from '../components/elements.tsx'
import { Id } from '../components/id.tsx'
import { counted } from '../lists.ts'
import type { PageContext } from '../page-context.ts'

/** The first entries of each list of a project, and who may reach it; null: the list could not be read. */
export interface Contents {
  namespaces: Page<MemoryNamespace> | null
  subjects: Page<MemorySubject> | null
  conversations: Page<MemoryConversation> | null
  keys: Page<Key> | null
  grants: Page<Grant> | null
}

/** Entries that are counted. Each of them costs a look at up to 1,000 memories. */
const COUNTED = 10

export async function readContents({ api }: PageContext, projectId: string): Promise<Contents> {
  const first = { project_id: projectId, limit: COUNTED }
  // Without a list the page is still of use.
  const read = <T,>(path: string, query: Record<string, string | number>): Promise<T | null> =>
    api.get<T>(path, query).catch(() => null)
  const [namespaces, subjects, conversations, keys, grants] = await Promise.all([
    read<Page<MemoryNamespace>>('/v1/memory/namespaces', { ...first, include: 'counts' }),
    read<Page<MemorySubject>>('/v1/memory/subjects', first),
    read<Page<MemoryConversation>>('/v1/memory/conversations', { ...first, namespace: '*' }),
    read<Page<Key>>('/v1/api-keys', { limit: 100 }),
    read<Page<Grant>>('/v1/grants', { limit: 100 }),
  ])
  return { namespaces, subjects, conversations, keys, grants }
}

/** A key works until it ends, in the workspace that owns it, and in the projects that it is limited to. */
const opens = (key: Key, project: Project): boolean =>
  (key.status === 'active' || key.status === 'rotating') &&
  (key.workspace_id === null || key.workspace_id === project.workspace_id) &&
  (key.permissions?.some((one) => one.project_id === project.id) ?? true)

const isAgentOf = (grant: Grant, project: Project): boolean =>
  grant.agent && (grant.project_id === null || grant.project_id === project.id)

/** What a project holds, and who reaches it at which address. */
export const ContentsCard: FC<{ ctx: PageContext; project: Project; contents: Contents }> = (props) => {
  const { ctx, project, contents } = props
  const { namespaces, subjects, conversations, keys, grants } = contents
  const listed = (path: string, page: Page<unknown> | null): Child => (
    <a href={`${path}?project_id=${project.id}`}>{page ? counted(page.data.length, page.has_more) : '–'}</a>
  )
  return (
    <Card title="What it holds">
      <div class="card-body">
        <Facts
          rows={[
            ['Memories', <a href={`/portal/memory?project_id=${project.id}`}>{itemsIn(namespaces)}</a>],
            ['Namespaces', listed('/portal/namespaces', namespaces)],
            ['Conversations', listed('/portal/conversations', conversations)],
            ['Subjects', listed('/portal/erasures/subjects', subjects)],
            ['Address for agents', <Id of={`${ctx.origin}/mcp/${project.id}`} />],
            [
              'Your keys',
              <Names
                of={keys?.data
                  .filter((key) => opens(key, project))
                  .map(({ id, name }) => ({ name, href: `/portal/keys/${id}` }))}
              />,
            ],
            [
              'Your agents',
              <Names
                of={grants?.data
                  .filter((grant) => isAgentOf(grant, project))
                  .map(({ application }) => ({ name: application.name, href: '/portal/agents' }))}
              />,
            ],
          ]}
        />
      </div>
    </Card>
  )
}

function itemsIn(namespaces: Contents['namespaces']): string {
  if (!namespaces) return '–'
  const items = namespaces.data.reduce((sum, one) => sum + (one.items ?? 0), 0)
  return counted(items, namespaces.has_more || namespaces.data.some((one) => one.items_truncated))
}

/** Links of a row. More than these do not fit it. */
const SHOWN_NAMES = 12

const Names: FC<{ of: readonly { name: string; href: string }[] | undefined }> = ({ of }) =>
  of === undefined ? (
    <>–</>
  ) : of.length === 0 ? (
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
