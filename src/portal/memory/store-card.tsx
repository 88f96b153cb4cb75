import type { FC } from 'hono/jsx'
import type { AppError } from '../../core/errors.ts'
import { errorAt } from '../form.ts'
import { Card } from '../components/elements.tsx'
import { Field, PostForm, Select } from '../components/fields.tsx'
import type { PageContext } from '../page-context.ts'
import type { ProjectSelection } from './project-selection.tsx'

const TTLS = [
  { value: '', label: 'Forever' },
  { value: '3600', label: 'One hour' },
  { value: '86400', label: 'One day' },
  { value: '2592000', label: '30 days' },
  { value: '31536000', label: 'One year' },
]

export const StoreCard: FC<{ ctx: PageContext; selection: ProjectSelection; error: AppError | null }> = ({
  ctx,
  selection,
  error,
}) => {
  const { form } = ctx
  return (
    <Card title="Store a memory" id="store">
      <div class="card-body">
        <PostForm ctx={ctx} action="/portal/memory" creates error={error}>
          <input type="hidden" name="project_id" value={selection.projectId} />
          <Field
            name="text"
            label="Text"
            rows={4}
            required
            placeholder="Ada prefers tea over coffee."
            value={form.raw('text')}
            error={errorAt(error, 'content.text')}
          />
          <Field
            name="tags"
            label="Tags"
            placeholder="preference, drinks"
            hint="Separated by commas."
            value={form.text('tags')}
            error={errorAt(error, 'tags')}
          />
          <details class="disclosure" open={error !== null}>
            <summary>Namespace, lifetime, metadata</summary>
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
          <div>
            <button class="button button-primary" type="submit">
              Store
            </button>
          </div>
        </PostForm>
      </div>
    </Card>
  )
}
