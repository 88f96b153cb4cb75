import type { FC } from 'hono/jsx'
import type { Page } from '../../core/http/cursor.ts'
import type { MemoryNamespace } from '../../memory/index.ts'
import { Time } from '../components/elements.tsx'
import { Field } from '../components/fields.tsx'
import { Table } from '../components/table.tsx'
import { attempt } from '../form.ts'
import { counted, listProjects, listWorkspaces, mayErase, projectIn } from '../lists.ts'
import { renderPage } from '../respond.tsx'
import { page } from '../route.ts'
import { MemoryList } from './memory-list.tsx'

const PATH = '/portal/namespaces'

/** The namespaces of a project, with what each holds. */
export const namespacesRoute = page(PATH, async (ctx) => {
  const asked = ctx.url.searchParams
  const [projects, workspaces] = await Promise.all([listProjects(ctx), listWorkspaces(ctx)])
  const projectId = projectIn(ctx, projects)
  const prefix = asked.get('prefix')?.trim() ?? ''
  const query = { project_id: projectId, prefix, include: 'counts', cursor: asked.get('cursor') ?? '' }
  const found =
    projectId === '' ? null : await attempt(ctx.api.get<Page<MemoryNamespace>>('/v1/memory/namespaces', query))
  return renderPage(
    ctx,
    <MemoryList
      ctx={ctx}
      path={PATH}
      title="Namespaces"
      lead="A namespace separates memories within a project, such as those of one customer."
      icon="memory"
      projects={projects}
      projectId={projectId}
      found={found}
      filter={<Field name="prefix" label="This one and those below it" placeholder="All" value={prefix} />}
      isFiltered={prefix !== ''}
      whenEmpty={<p>No memory that you can read is stored here.</p>}
      shown={(namespaces) => (
        <Namespaces namespaces={namespaces} erasable={mayErase(projects, workspaces, projectId)} />
      )}
      pages={{ first: 'First', further: 'More' }}
    />,
  )
})

const Namespaces: FC<{ namespaces: readonly MemoryNamespace[]; erasable: boolean }> = ({ namespaces, erasable }) => (
  <Table columns={['Namespace', 'Memories', 'Last change']} numeric={['Memories']} actions={erasable}>
    {namespaces.map(({ project_id, namespace, items = 0, items_truncated, last_write_at }) => (
      <tr>
        <td class="lead" data-label="Namespace">
          <a href={`/portal/memory?${new URLSearchParams({ project_id, namespace }).toString()}`}>{namespace}</a>
        </td>
        <td class="num" data-label="Memories">
          {counted(items, items_truncated)}
        </td>
        <td data-label="Last change">{last_write_at ? <Time at={last_write_at} /> : '–'}</td>
        {erasable && (
          <td class="end">
            <a
              class="button button-small"
              href={`/portal/erasures/new?${new URLSearchParams({ namespace }).toString()}`}
            >
              Erase everywhere<span class="sr-only">: {namespace}</span>
            </a>
          </td>
        )}
      </tr>
    ))}
  </Table>
)
