import type { FC } from 'hono/jsx'
import type { AppError } from '../../core/errors.ts'
import type { Key, Project } from '../../identity/index.ts'
import { errorAt, type Form } from '../form.ts'
import { Choices, Field, Select } from '../components/fields.tsx'

type Permission = NonNullable<Key['permissions']>[number]

/** The API checks the `access` that a form sends. */
type PermissionInput = Pick<Permission, 'project_id' | 'namespaces'> & { access: string }

/** One permission for each project with an access. */
export const permissionsIn = (form: Form): PermissionInput[] =>
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

interface PermissionFieldsProps {
  form: Form
  projects: readonly Project[]
  error: AppError | undefined
}

/** The fields for the projects that a new key may use: access and namespaces of each. */
export const PermissionFields: FC<PermissionFieldsProps> = ({ form, projects, error }) => {
  const permissions = permissionsIn(form)
  const errorOf = (id: string): string | undefined => {
    const at = permissions.findIndex(({ project_id }) => project_id === id)
    return at < 0 ? undefined : errorAt(error, `permissions.${at}`)
  }
  return (
    <div class="stack">
      <Choices
        name="reach"
        legend="Which projects"
        options={[
          { value: 'all', label: 'Everything that its owner can use' },
          { value: 'some', label: 'Only some' },
        ]}
        value={form.text('reach') || 'all'}
        error={permissions.length === 0 ? errorAt(error, 'permissions') : undefined}
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
              error={errorOf(id)}
            />
          </div>
        ))}
      </div>
    </div>
  )
}
