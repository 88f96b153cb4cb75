import type { Child, FC } from 'hono/jsx'
import type { Project } from '../../identity/index.ts'
import { Card } from '../components/elements.tsx'
import { Select } from '../components/fields.tsx'

interface ProjectFilterProps {
  /** The page that the form asks for. */
  path: string
  /** What the page lists. */
  label: string
  projects: readonly Project[]
  projectId: string
  /** Further fields. */
  children?: Child
}

/** The form that chooses the project of a list, and what else narrows it. */
export const ProjectFilter: FC<ProjectFilterProps> = ({ path, label, projects, projectId, children }) => (
  <Card>
    <form class="card-body filters filters-list" method="get" action={path} role="search" aria-label={label}>
      <Select
        name="project_id"
        label="Project"
        options={projects.map(({ id, name }) => ({ value: id, label: name }))}
        value={projectId}
      />
      {children}
      <div>
        <button class="button" type="submit">
          Show
        </button>
      </div>
    </form>
  </Card>
)
