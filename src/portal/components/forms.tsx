import type { Child, FC } from 'hono/jsx'
import type { AppError } from '../../core/errors.ts'
import type { PageContext } from '../page-context.ts'
import { Card } from './elements.tsx'
import { PostForm } from './fields.tsx'
import { Shell } from './shell.tsx'

interface ActionButtonProps {
  ctx: PageContext
  action: string
  tone?: 'primary' | 'danger'
  small?: boolean
  children?: Child
}

/** A form that consists of a button. */
export const ActionButton: FC<ActionButtonProps> = ({ ctx, action, tone, small, children }) => (
  <PostForm ctx={ctx} action={action} class="row">
    <button class={`button${small ? ' button-small' : ''}${tone ? ` button-${tone}` : ''}`} type="submit">
      {children}
    </button>
  </PostForm>
)

interface CreatePageProps {
  ctx: PageContext
  title: string
  /** The list of such resources: the form posts to it, and Cancel leads back to it. */
  list: { href: string; label: string }
  submit: string
  error: AppError | null
  children?: Child
}

/** A page with the form that creates a resource. */
export const CreatePage: FC<CreatePageProps> = ({ ctx, title, list, submit, error, children }) => (
  <Shell ctx={ctx} title={title} current={list.href} crumb={list} narrow>
    <div class="card card-body">
      <PostForm ctx={ctx} action={list.href} creates error={error}>
        {children}
        <Buttons submit={submit} back={list.href} />
      </PostForm>
    </div>
  </Shell>
)

interface EditPageProps {
  ctx: PageContext
  title: string
  /** The navigation entry that the page belongs to. */
  section: string
  /** The page of the resource, where both buttons lead. */
  back: { href: string; label: string }
  error: AppError | null
  children?: Child
}

/** A page with the form that changes a resource; it posts to its own path. */
export const EditPage: FC<EditPageProps> = ({ ctx, title, section, back, error, children }) => (
  <Shell ctx={ctx} title={title} current={section} crumb={back} narrow>
    <div class="card card-body">
      <PostForm ctx={ctx} action={ctx.url.pathname} error={error}>
        {children}
        <Buttons submit="Save" back={back.href} />
      </PostForm>
    </div>
  </Shell>
)

const Buttons: FC<{ submit: string; back: string }> = ({ submit, back }) => (
  <div class="row">
    <button class="button button-primary" type="submit">
      {submit}
    </button>
    <a class="button button-quiet" href={back}>
      Cancel
    </a>
  </div>
)

interface EditCardProps {
  ctx: PageContext
  action: string
  error: AppError | null
  title?: string
  lead?: string
  children?: Child
}

/** The form that changes a resource, on the resource's own page. */
export const EditCard: FC<EditCardProps> = ({ ctx, action, error, title = 'Edit', lead, children }) => (
  <Card title={title} lead={lead}>
    <div class="card-body">
      <PostForm ctx={ctx} action={action} error={error}>
        {children}
        <div>
          <button class="button button-primary" type="submit">
            Save
          </button>
        </div>
      </PostForm>
    </div>
  </Card>
)
