import type { FC } from 'hono/jsx'
import type { AppError } from '../../core/errors.ts'
import type { Project } from '../../identity/index.ts'
import { Field } from '../components/fields.tsx'
import { errorAt, type Form } from '../form.ts'

type ProjectValues = Pick<Project, 'name' | 'description' | 'icon'>

export const valuesIn = (form: Form): ProjectValues => ({
  name: form.text('name'),
  description: form.text('description'),
  icon: form.text('icon'),
})

/** The fields of the forms that create and change a project. */
export const ProjectFields: FC<{ values: ProjectValues; error: AppError | null }> = ({ values, error }) => (
  <>
    <Field
      name="name"
      label="Name"
      required
      maxlength={120}
      value={values.name}
      placeholder="Support bot"
      error={errorAt(error, 'name')}
    />
    <Field
      name="description"
      label="Description"
      rows={3}
      maxlength={2000}
      value={values.description}
      error={errorAt(error, 'description')}
    />
    <Field
      name="icon"
      label="Icon"
      maxlength={64}
      value={values.icon}
      hint="An emoji, or empty."
      error={errorAt(error, 'icon')}
    />
  </>
)
