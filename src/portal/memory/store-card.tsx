import type { Child, FC } from 'hono/jsx'
import type { AppError } from '../../core/errors.ts'
import { SAMPLE_TEXT } from '../../core/sample.ts'
import { errorAt } from '../form.ts'
import { Card } from '../components/elements.tsx'
import { Field, Hidden, PostForm, Select } from '../components/fields.tsx'
import type { PageContext } from '../page-context.ts'
import { FormDialog } from './form-dialog.tsx'
import { OccurredAtField } from './occurred-at-field.tsx'
import { playgroundPath, type ProjectSelection } from './project-selection.tsx'

const TTLS = [
  { value: '', label: 'Forever' },
  { value: '3600', label: 'One hour' },
  { value: '86400', label: 'One day' },
  { value: '2592000', label: '30 days' },
  { value: '31536000', label: 'One year' },
]

interface Props {
  ctx: PageContext
  selection: ProjectSelection
  error: AppError | null
}

export const StoreDialog: FC<Omit<Props, 'error'>> = ({ ctx, selection }) => (
  <FormDialog
    id="store"
    verb="Store a memory"
    wide
    primary
    form={(cancel) => (
      <StoreForm ctx={ctx} selection={selection} error={null}>
        {cancel}
      </StoreForm>
    )}
  />
)

/** The same form on the page itself. */
export const StoreCard: FC<Props> = ({ ctx, selection, error }) => (
  <Card title="Store a memory" id="store">
    <div class="card-body">
      <StoreForm ctx={ctx} selection={selection} error={error}>
        <a class="button" href={playgroundPath(selection)}>
          Cancel
        </a>
      </StoreForm>
    </div>
  </Card>
)

const StoreForm: FC<Props & { children?: Child }> = ({ ctx, selection, error, children }) => {
  const { form } = ctx
  return (
    <PostForm ctx={ctx} action="/portal/memory" creates error={error}>
      <Hidden name="project_id" value={selection.projectId} />
      <Field
        name="text"
        label="Text"
        rows={4}
        required
        placeholder={SAMPLE_TEXT}
        value={form.raw('text')}
        error={errorAt(error, 'content.text')}
        autofocus
      />
      <Field
        name="tags"
        label="Tags"
        placeholder="health, food"
        hint="Separated by commas."
        value={form.text('tags')}
        error={errorAt(error, 'tags')}
      />
      <details class="disclosure" open={error !== null}>
        <summary>Namespace, lifetime, date, metadata</summary>
        <div class="form">
          <div class="form-row">
            <Field
              name="namespace"
              label="Namespace"
              placeholder="default"
              value={form.text('namespace') || (selection.namespace === '*' ? '' : selection.namespace)}
              error={errorAt(error, 'context.namespace')}
            />
            <Select name="ttl" label="Keep for" options={TTLS} value={form.text('ttl')} />
          </div>
          <OccurredAtField value={form.text('occurred_at')} error={error} />
          <Field
            name="metadata"
            label="Metadata"
            rows={2}
            placeholder='{"source": "chat"}'
            value={form.text('metadata')}
            error={errorAt(error, 'content.metadata')}
          />
        </div>
      </details>
      <div class="row row-end">
        {children}
        <button class="button button-primary" type="submit">
          Store
        </button>
      </div>
    </PostForm>
  )
}
