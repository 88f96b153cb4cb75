import type { FC } from 'hono/jsx'
import type { AppError } from '../../core/errors.ts'
import type { Project } from '../../identity/index.ts'
import { errorAt, type Form } from '../form.ts'
import { Choices, Field, Select } from '../parts/fields.tsx'

interface Permission {
  project_id: string
  access: string
  namespaces?: string[]
}

/** The projects that were given, each with its access and, where named, its namespaces. */
export const permissionsIn = (form: Form): Permission[] =>
  form
    .all('project')
    .map((project_id) => {
      const namespaces = form.list(`namespaces:${project_id}`)
      const access = form.text(`access:${project_id}`)
      return { project_id, access, ...(namespaces.length > 0 ? { namespaces } : {}) }
    })
    .filter((permission) => permission.access !== '')

const ACCESS = [
  { value: '', label: 'No access' },
  { value: 'read', label: 'Read' },
  { value: 'write', label: 'Read and write' },
]

interface ReachProps {
  form: Form
  projects: readonly Project[]
  error: AppError | undefined
}

/** Which projects a new key may use, and what in them. */
export const Reach: FC<ReachProps> = ({ form, projects, error }) => {
  const given = permissionsIn(form)
  const faultOf = (id: string): string | undefined => {
    const at = given.findIndex(({ project_id }) => project_id === id)
    return at < 0 ? undefined : errorAt(error, `permissions.${at}`)
  }
  return (
    <div class="stack">
      <Choices
        name="reach"
        legend="Which projects"
        options={[
          { value: 'all', label: 'All that its owner may use' },
          { value: 'some', label: 'Only some' },
        ]}
        value={form.text('reach') || 'all'}
        error={given.length === 0 ? errorAt(error, 'permissions') : undefined}
      />
      <div class="stack when-some">
        {projects.map(({ id, name }) => (
          <div class="form-row">
            <input type="hidden" name="project" value={id} />
            <Select
              id={`access-${id}`}
              name={`access:${id}`}
              label={name}
              value={form.text(`access:${id}`)}
              options={ACCESS}
            />
            <Field
              id={`namespaces-${id}`}
              name={`namespaces:${id}`}
              label={`Only these namespaces of ${name}`}
              placeholder="All"
              hint="Separated by commas."
              value={form.text(`namespaces:${id}`)}
              error={faultOf(id)}
            />
          </div>
        ))}
      </div>
    </div>
  )
}
