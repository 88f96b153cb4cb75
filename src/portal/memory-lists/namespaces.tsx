import type { FC } from 'hono/jsx'
import type { Page } from '../../core/http/cursor.ts'
import type { MemoryNamespace } from '../../memory/index.ts'
import { Card, Notice, Time } from '../components/elements.tsx'
import { Field } from '../components/fields.tsx'
import { EmptyList } from './empty-list.tsx'
import { MemoryTabs } from './tabs.tsx'
import { Pager } from '../components/pager.tsx'
import { ProjectFilter } from './project-filter.tsx'
import { Shell } from '../components/shell.tsx'
import { Table } from '../components/table.tsx'
import { attempt } from '../form.ts'
import { counted, listOf, listProjects, listWorkspaces, mayErase, projectIn } from '../lists.ts'
import { renderPage } from '../respond.tsx'
import { page } from '../route.ts'

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
    <Shell
      ctx={ctx}
      title="Namespaces"
      current="/portal/memory"
      lead="A namespace separates memories within a project, such as those of one customer."
    >
      <MemoryTabs current={PATH} projectId={projectId} />
      <ProjectFilter path={PATH} label="Namespaces" projects={projects} projectId={projectId}>
        <Field name="prefix" label="This one and those below it" placeholder="All" value={prefix} />
      </ProjectFilter>
      {found && !found.ok && <Notice tone="danger">{found.error.detail}</Notice>}
      {found?.ok && (
        <>
          <Card>
            {found.value.data.length === 0 ? (
              <EmptyList
                icon="memory"
                what="namespaces"
                page={found.value}
                url={ctx.url}
                unfiltered={prefix === '' ? null : listOf(PATH, projectId)}
              >
                <p>No memory that you can read is stored here.</p>
              </EmptyList>
            ) : (
              <Namespaces namespaces={found.value.data} erasable={mayErase(projects, workspaces, projectId)} />
            )}
          </Card>
          <Pager url={ctx.url} next={found.value.next_cursor} first="First" further="More" />
        </>
      )}
    </Shell>,
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
