import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import { invalid, type AppError } from '../../core/errors.ts'
import { errorAt, type Form } from '../form.ts'
import type { PageContext } from '../page-context.ts'
import { Card } from './elements.tsx'
import { Field, PostForm } from './fields.tsx'

const FIELD = 'confirm_name'

/** The error if the typed name is not `name`; null if it is. */
export const nameMismatch = (form: Form, name: string): AppError | null =>
  form.text(FIELD) === name.trim() ? null : invalid(FIELD, 'mismatch', 'Type the name exactly as it is shown.')

interface Props {
  ctx: PageContext
  action: string
  what: string
  name: string
  consequence: string
  error: AppError | null
}

/** The form that deletes a resource; it demands its name. */
export const ConfirmDelete: FC<Props> = ({ ctx, action, what, name, consequence, error }) => (
  <Card title={`Delete this ${what}`} danger>
    <div class="card-body">
      <p>{consequence}</p>
      <PostForm ctx={ctx} action={action} error={error && !errorAt(error, FIELD) ? error : null}>
        <Field
          name={FIELD}
          label="Its name, to confirm"
          required
          hint={
            <>
              Type{' '}
              <strong>
                <Visible text={name} />
              </strong>
            </>
          }
          error={errorAt(error, FIELD)}
        />
        <div>
          <button class="button button-danger" type="submit">
            Delete {what}
          </button>
        </div>
      </PostForm>
    </div>
  </Card>
)
