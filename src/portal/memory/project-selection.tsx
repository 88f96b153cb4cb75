import type { FC } from 'hono/jsx'
import type { Project } from '../../identity/index.ts'
import { Field, Select } from '../components/fields.tsx'
import type { PageContext } from '../page-context.ts'
import { listProjects } from '../lists.ts'

/** What the playground shows: one project, and one namespace of it or all. */
export interface ProjectSelection {
  projects: readonly Project[]
  projectId: string
  /** `*`: all. */
  namespace: string
}

/** The selection of the form or the query; by default the user's first project. */
export async function selectionOf(ctx: PageContext): Promise<ProjectSelection> {
  const projects = await listProjects(ctx)
  const named = ctx.form.text('project_id') || (ctx.url.searchParams.get('project_id') ?? '')
  return {
    projects,
    projectId: named || (projects.at(-1)?.id ?? ''),
    namespace: ctx.url.searchParams.get('namespace') || '*',
  }
}

export const playgroundPath = (selection: Pick<ProjectSelection, 'projectId' | 'namespace'>, hash = ''): string =>
  `/portal/memory?${new URLSearchParams({ project_id: selection.projectId, ...(selection.namespace === '*' ? {} : { namespace: selection.namespace }) }).toString()}${hash}`

export const SelectionForm: FC<{ selection: ProjectSelection }> = ({ selection }) => (
  <form class="form-inline" method="get" action="/portal/memory" aria-label="Project and namespace">
    <Select
      name="project_id"
      label="Project"
      id="select-project"
      value={selection.projectId}
      options={selection.projects.map(({ id, name }) => ({ value: id, label: name }))}
    />
    <Field
      name="namespace"
      id="select-namespace"
      label="Namespace"
      value={selection.namespace === '*' ? '' : selection.namespace}
      placeholder="All"
    />
    <button class="button" type="submit">
      Show
    </button>
  </form>
)
