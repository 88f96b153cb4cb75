import type { Child, FC } from 'hono/jsx'
import type { AppError } from '../../core/errors.ts'
import type { Visit } from '../visit.ts'
import { Card } from './bits.tsx'
import { PostForm } from './fields.tsx'
import { Shell } from './shell.tsx'

interface CreatePageProps {
  visit: Visit
  title: string
  /** The list that it joins: it is sent there, and who gives up goes there. */
  list: { href: string; label: string }
  submit: string
  error: AppError | null
  children?: Child
}

/** A page with one form that makes a thing. */
export const CreatePage: FC<CreatePageProps> = ({ visit, title, list, submit, error, children }) => (
  <Shell visit={visit} title={title} current={list.href} crumb={list} narrow>
    <div class="card card-body">
      <PostForm visit={visit} action={list.href} creates error={error}>
        {children}
        <div class="row">
          <button class="button button-primary" type="submit">
            {submit}
          </button>
          <a class="button button-quiet" href={list.href}>
            Cancel
          </a>
        </div>
      </PostForm>
    </div>
  </Shell>
)

interface EditCardProps {
  visit: Visit
  action: string
  error: AppError | null
  children?: Child
}

/** The part of a thing's own page that changes it. */
export const EditCard: FC<EditCardProps> = ({ visit, action, error, children }) => (
  <Card title="Edit">
    <div class="card-body">
      <PostForm visit={visit} action={action} error={error}>
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
