import type { Child, FC } from 'hono/jsx'
import type { AppError } from '../../core/errors.ts'
import type { MemoryItem } from '../../memory/index.ts'
import { Card } from '../components/elements.tsx'
import { Field, PostForm } from '../components/fields.tsx'
import { errorAt } from '../form.ts'
import type { PageContext } from '../page-context.ts'
import { FormDialog } from './form-dialog.tsx'
import { OccurredAtField } from './occurred-at-field.tsx'

interface EditProps {
  ctx: PageContext
  item: MemoryItem
}

export const EditDialog: FC<EditProps> = ({ ctx, item }) => (
  <FormDialog
    id="edit"
    verb="Edit"
    wide
    form={(cancel) => (
      <EditForm ctx={ctx} item={item} error={null}>
        {cancel}
      </EditForm>
    )}
  />
)

/** The same form on the page itself, with what was refused. */
export const EditCard: FC<EditProps & { error: AppError }> = ({ ctx, item, error }) => (
  <Card title="Edit" id="edit">
    <div class="card-body">
      <EditForm ctx={ctx} item={item} error={error}>
        <a class="button" href={`/portal/memory/${item.id}`}>
          Cancel
        </a>
      </EditForm>
    </div>
  </Card>
)

const EditForm: FC<EditProps & { error: AppError | null; children?: Child }> = ({ ctx, item, error, children }) => {
  const sent = ctx.form.has('text')
  const { content, tags } = item
  return (
    <PostForm ctx={ctx} action={`/portal/memory/${item.id}`} error={error}>
      <Field
        name="text"
        label="Text"
        hint="A changed text is embedded again."
        rows={6}
        required
        value={sent ? ctx.form.raw('text') : content.text}
        error={errorAt(error, 'content.text')}
        autofocus={error === null}
      />
      <Field
        name="tags"
        label="Tags"
        hint="Separated by commas."
        value={sent ? ctx.form.text('tags') : tags.join(', ')}
        error={errorAt(error, 'tags')}
      />
      <OccurredAtField
        value={sent ? ctx.form.text('occurred_at') : (item.occurred_at ?? '').replace('Z', '')}
        error={error}
      />
      <Field
        name="metadata"
        label="Metadata"
        rows={3}
        value={sent ? ctx.form.text('metadata') : JSON.stringify(content.metadata)}
        error={errorAt(error, 'content.metadata')}
      />
      <div class="row row-end">
        {children}
        <button class="button button-primary" type="submit">
          Save
        </button>
      </div>
    </PostForm>
  )
}
