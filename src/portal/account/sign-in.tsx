import { CardPage, safeReturn, type LoginReply } from '../../auth/index.ts'
import type { AppError } from '../../core/errors.ts'
import { redirect, renderPage } from '../respond.tsx'
import { attempt } from '../form.ts'
import { EmailField } from '../components/account-fields.tsx'
import { Field, PostForm } from '../components/fields.tsx'
import type { PublicPageContext } from '../page-context.ts'
import { publicFormAction, publicPage } from '../route.ts'
import { deviceFields, sessionCookies } from './session-cookies.ts'

export const HOME = '/portal'

function signInPage(ctx: PublicPageContext, error: AppError | null): Promise<Response> {
  const back = safeReturn(ctx.form.raw('return') || ctx.url.searchParams.get('return'), HOME)
  const query = back === HOME ? '' : `?return=${encodeURIComponent(back)}`
  return renderPage(
    ctx,
    <CardPage title="Sign in">
      <h1>Sign in</h1>
      <PostForm ctx={ctx} action="/portal/sign-in" error={error}>
        <input type="hidden" name="return" value={back} />
        <EmailField value={ctx.form.text('email')} autofocus={!error} />
        <Field name="password" label="Password" type="password" required autocomplete="current-password" />
        <button class="button button-primary button-wide" type="submit">
          Sign in
        </button>
      </PostForm>
      {ctx.system.config.signupsOpen ? (
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
  publicPage('/portal/sign-in', (ctx) => signInPage(ctx, null)),

  publicFormAction('/portal/sign-in', async (ctx) => {
    const email = ctx.form.text('email')
    const device = await deviceFields(ctx.request.headers, email)
    const fields = { username: email, password: ctx.form.raw('password'), ...device }
    const login = await attempt(ctx.api.form<LoginReply>('/auth/login', fields), [401])
    if (!login.ok) return signInPage(ctx, login.error)
    return redirect(safeReturn(ctx.form.raw('return'), HOME), await sessionCookies(email, login.value))
  }),
]
