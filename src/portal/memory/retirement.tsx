import type { Child, FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { MemoryItem } from '../../memory/index.ts'
import { Card, Notice } from '../components/elements.tsx'
import { Field, PostForm } from '../components/fields.tsx'
import { ActionButton } from '../components/forms.tsx'
import type { AppError } from '../../core/errors.ts'
import { attempt, errorAt } from '../form.ts'
import type { PageContext } from '../page-context.ts'
import { FormDialog } from './form-dialog.tsx'

/** A memory, and the memories that followed it, the current one last. */
type Chain = readonly MemoryItem[]

/** Successors that one page reads, one after the other. */
const MAX_SUCCESSORS = 5

/** The memories that superseded this one, as far as the user may read them. */
export async function readSuccessors(ctx: PageContext, item: MemoryItem): Promise<Chain> {
  const chain: MemoryItem[] = []
  for (let next = item.superseded_by; next?.startsWith('mem_') && chain.length < MAX_SUCCESSORS;) {
    const found = await attempt(ctx.api.get<MemoryItem>(`/v1/memory/items/${next}`), [404])
    if (!found.ok) break
    chain.push(found.value)
    next = found.value.superseded_by
  }
  return chain
}

/** Memories by their texts, each a link to its page. */
export const MemoryLinks: FC<{ memories: readonly MemoryItem[] }> = ({ memories }) => (
  <ol class="successors">
    {memories.map(({ id, content, status }) => (
      <li>
        <a class="clip" href={`/portal/memory/${id}`}>
          <Visible text={content.text} />
        </a>
        {status === 'retired' && ' (retired)'}
      </li>
    ))}
  </ol>
)

/** Says that a memory is retired, and what superseded it. When, why and by whom stands in its history. */
export const RetiredNotice: FC<{ item: MemoryItem; successors: Chain }> = ({ item, successors }) => (
  <Notice tone="warn" title="This memory is retired">
    Searches no longer find it.
    {item.superseded_by === 'gone' && ' The memory that superseded it is gone.'}
    {successors.length > 0 && (
      <>
        {' '}
        It was superseded by:
        <MemoryLinks memories={successors} />
      </>
    )}
  </Notice>
)

interface RetireProps {
  ctx: PageContext
  action: string
}

export const RetireDialog: FC<RetireProps> = ({ ctx, action }) => (
  <FormDialog
    id="retire"
    verb="Retire"
    title="Retire this memory"
    form={(cancel) => (
      <RetireForm ctx={ctx} action={action} error={null}>
        {cancel}
      </RetireForm>
    )}
  />
)

/** The same form on the page itself, with what was refused. */
export const RetireCard: FC<RetireProps & { error: AppError }> = (props) => (
  <Card title="Retire this memory">
    <div class="card-body">
      <RetireForm {...props} />
    </div>
  </Card>
)

const RetireForm: FC<RetireProps & { error: AppError | null; children?: Child }> = (props) => (
  <PostForm ctx={props.ctx} action={props.action} error={props.error}>
    <Field
      name="reason"
      label="Why it is no longer true"
      hint="Searches no longer find a retired memory. You can restore it."
      value={props.ctx.form.text('reason')}
      error={errorAt(props.error, 'reason')}
      autofocus
    />
    <div class="row row-end">
      {props.children}
      <button class="button button-primary" type="submit">
        Retire this memory
      </button>
    </div>
  </PostForm>
)

export const RestoreButton: FC<{ ctx: PageContext; action: string }> = ({ ctx, action }) => (
  <ActionButton ctx={ctx} action={action}>
    Restore this memory
  </ActionButton>
)
