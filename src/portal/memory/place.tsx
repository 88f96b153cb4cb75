import type { FC } from 'hono/jsx'
import type { Project } from '../../identity/index.ts'
import { Field, Select } from '../parts/fields.tsx'
import type { PageContext } from '../page-context.ts'
import { projectsOf } from '../projects/projects.ts'

/** Where the playground stands: one project, one namespace or all of them. */
export interface Place {
  projects: readonly Project[]
  projectId: string
  /** `*`: all. */
  namespace: string
}

/** The place that the address names, else the user's first project. */
export async function placeOf(ctx: PageContext): Promise<Place> {
  const projects = await projectsOf(ctx)
  const named = ctx.form.text('project_id') || (ctx.url.searchParams.get('project_id') ?? '')
  return {
    projects,
    projectId: named || (projects.at(-1)?.id ?? ''),
    namespace: ctx.url.searchParams.get('namespace') || '*',
  }
}

export const placePath = (place: Pick<Place, 'projectId' | 'namespace'>, hash = ''): string =>
  `/portal/memory?${new URLSearchParams({ project_id: place.projectId, ...(place.namespace === '*' ? {} : { namespace: place.namespace }) }).toString()}${hash}`

export const PlaceForm: FC<{ place: Place }> = ({ place }) => (
  <form class="form-inline" method="get" action="/portal/memory" aria-label="Project and namespace">
    <Select
      name="project_id"
      label="Project"
      id="place-project"
      value={place.projectId}
      options={place.projects.map(({ id, name }) => ({ value: id, label: name }))}
    />
    <Field
      name="namespace"
      id="place-namespace"
      label="Namespace"
      value={place.namespace === '*' ? '' : place.namespace}
      placeholder="All"
    />
    <button class="button" type="submit">
      Show
    </button>
  </form>
)
