import { CardPage, safeReturn, SESSION_COOKIE, setCookie } from '../../auth/index.ts'
import type { AppError } from '../../core/errors.ts'
import { redirect, show } from '../answer.tsx'
import { attempt } from '../form.ts'
import { Field, PostForm } from '../parts/fields.tsx'
import { openAction, openView, type OpenVisit } from '../visit.ts'

export const HOME = '/portal'

interface LoginReply {
  session_token: string
  expires_in: number
}

/** The cookie of a new session, as long-lived as the session is. */
export const sessionCookies = (reply: LoginReply): string[] => [
  setCookie(SESSION_COOKIE, reply.session_token, reply.expires_in),
]

function signInPage(visit: OpenVisit, error: AppError | null): Promise<Response> {
  const back = safeReturn(visit.form.raw('return') || visit.url.searchParams.get('return'), HOME)
  const query = back === HOME ? '' : `?return=${encodeURIComponent(back)}`
  return show(
    visit,
    <CardPage title="Sign in">
      <h1>Sign in</h1>
      <PostForm visit={visit} action="/portal/sign-in" error={error}>
        <input type="hidden" name="return" value={back} />
        <Field
          name="email"
          label="E-mail address"
          type="email"
          required
          autocomplete="username"
          value={visit.form.text('email')}
          autofocus={!error}
        />
        <Field name="password" label="Password" type="password" required autocomplete="current-password" />
        <button class="button button-primary button-wide" type="submit">
          Sign in
        </button>
      </PostForm>
      {visit.system.config.signupsOpen ? (
        <p class="small muted">
          New here? <a href={`/portal/sign-up${query}`}>Create an account</a>
        </p>
      ) : (
        <p class="small muted">New accounts need an invitation from a member of a workspace.</p>
      )}
    </CardPage>,
    error?.status ?? 200,
  )
}

export const signInRoutes = [
  openView('/portal/sign-in', (visit) => signInPage(visit, null)),

  openAction('/portal/sign-in', async (visit) => {
    const fields = { username: visit.form.text('email'), password: visit.form.raw('password') }
    const login = await attempt(visit.api.form<LoginReply>('/auth/login', fields), [401])
    if (!login.ok) return signInPage(visit, login.error)
    return redirect(safeReturn(visit.form.raw('return'), HOME), sessionCookies(login.value))
  }),
]
