import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { Project, Workspace } from '../../identity/index.ts'
import { renderPage } from '../respond.tsx'
import { Pager } from '../components/pager.tsx'
import { Id } from '../components/id.tsx'
import { Card, Empty, Time } from '../components/elements.tsx'
import { Shell } from '../components/shell.tsx'
import { Table } from '../components/table.tsx'
import { page } from '../route.ts'
import type { Page } from '../../core/http/cursor.ts'
import { listWorkspaces } from '../lists.ts'

export const projectListRoute = page('/portal/projects', async (ctx) => {
  const [projects, workspaces] = await Promise.all([
    ctx.api.get<Page<Project>>('/v1/projects', { cursor: ctx.url.searchParams.get('cursor') ?? '' }),
    listWorkspaces(ctx),
  ])
  return renderPage(
    ctx,
    <Shell
      ctx={ctx}
      title="Projects"
      current="/portal/projects"
      lead="A project keeps its memories separate from all others: use one for each app, customer or environment."
      actions={
        <a class="button button-primary" href="/portal/projects/new">
          Create project
        </a>
      }
    >
      <Card>
        {projects.data.length === 0 ? (
          <Empty icon="project" title="No projects yet">
            <p>Memories are stored in projects. Create one, and send its id with each request.</p>
            <a class="button button-primary" href="/portal/projects/new">
              Create your first project
            </a>
          </Empty>
        ) : (
          <ProjectTable projects={projects.data} workspaces={workspaces} />
        )}
      </Card>
      <Pager url={ctx.url} next={projects.next_cursor} />
    </Shell>,
  )
})

const ProjectTable: FC<{ projects: readonly Project[]; workspaces: readonly Workspace[] }> = (props) => (
  <Table columns={['Name', 'Id', 'Workspace', 'Created']} actions>
    {props.projects.map((project) => (
      <tr>
        <td class="lead" data-label="Name">
          <a class="table-title" href={`/portal/projects/${project.id}`}>
            {project.icon && <Visible text={`${project.icon} `} />}
            <Visible text={project.name} />
          </a>
          {project.description && (
            <span class="table-sub clip">
              <Visible text={project.description} />
            </span>
          )}
        </td>
        <td data-label="Id">
          <Id of={project.id} />
        </td>
        <td data-label="Workspace">
          <Visible
            text={props.workspaces.find(({ id }) => id === project.workspace_id)?.name ?? project.workspace_id}
          />
        </td>
        <td data-label="Created">
          <Time at={project.created_at} />
        </td>
        <td class="end">
          <a class="button button-small" href={`/portal/memory?project_id=${project.id}`}>
            Memories
          </a>
        </td>
      </tr>
    ))}
  </Table>
)
