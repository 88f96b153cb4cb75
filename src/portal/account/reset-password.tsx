import { CardPage } from '../../auth/index.ts'
import type { AppError } from '../../core/errors.ts'
import { redirect, show } from '../answer.tsx'
import { refusal } from '../api.ts'
import { attempt, errorAt } from '../form.ts'
import { Field, PostForm } from '../parts/fields.tsx'
import { openAction, openView, type OpenVisit } from '../visit.ts'

/** Where a one-time reset link leads. */
export const resetPasswordRoutes = [
  openView('/portal/reset-password', (visit) => resetPage(visit, visit.url.searchParams.get('token') ?? '', null)),

  openAction('/portal/reset-password', async (visit) => {
    const token = visit.form.raw('token')
    const fields = { token, password: visit.form.raw('password') }
    const set = await attempt(post(visit, fields))
    return set.ok ? redirect('/portal/sign-in') : resetPage(visit, token, set.error)
  }),
]

async function post(visit: OpenVisit, fields: Record<string, string>): Promise<void> {
  const answer = await visit.api.raw('/auth/reset-password', { method: 'POST', body: new URLSearchParams(fields) })
  if (!answer.ok) throw await refusal(answer)
}

const resetPage = (visit: OpenVisit, token: string, error: AppError | null): Promise<Response> =>
  show(
    visit,
    <CardPage title="Set a new password">
      <h1>Set a new password</h1>
      <PostForm visit={visit} action="/portal/reset-password" error={error}>
        <input type="hidden" name="token" value={token} />
        <Field
          name="password"
          label="New password"
          type="password"
          required
          minlength={12}
          autocomplete="new-password"
          hint="At least 12 characters. Your sessions, connected apps and API keys end with the old one."
          error={errorAt(error, 'password')}
          autofocus
        />
        <button class="button button-primary button-wide" type="submit">
          Set password
        </button>
      </PostForm>
    </CardPage>,
    error?.status ?? 200,
  )
