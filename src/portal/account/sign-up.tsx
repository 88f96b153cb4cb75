import { CardPage, safeReturn, type LoginReply } from '../../auth/index.ts'
import type { AppError } from '../../core/errors.ts'
import { redirect, renderPage } from '../respond.tsx'
import { attempt, errorAt } from '../form.ts'
import { EmailField, NewPasswordField } from '../components/account-fields.tsx'
import { Notice } from '../components/elements.tsx'
import { Field, PostForm } from '../components/fields.tsx'
import type { PublicPageContext } from '../page-context.ts'
import { publicFormAction, publicPage } from '../route.ts'
import { sessionCookies } from './session-cookies.ts'
import { HOME } from './sign-in.tsx'

function signUpPage(ctx: PublicPageContext, error: AppError | null): Promise<Response> {
  const { form, url } = ctx
  const invitation = form.text('invitation') || (url.searchParams.get('invitation') ?? '')
  const back = safeReturn(form.raw('return') || url.searchParams.get('return'), HOME)
  const open = ctx.system.config.signupsOpen || invitation !== ''
  return renderPage(
    ctx,
    <CardPage title="Create an account">
      <h1>{invitation === '' ? 'Create an account' : 'Accept your invitation'}</h1>
      {open ? (
        <PostForm ctx={ctx} action="/portal/sign-up" error={error}>
          <input type="hidden" name="return" value={back} />
          {invitation !== '' && <input type="hidden" name="invitation" value={invitation} />}
          <Field
            name="name"
            label="Your name"
            required
            maxlength={120}
            autocomplete="name"
            value={form.text('name')}
            error={errorAt(error, 'name')}
            autofocus={!error}
          />
          <EmailField value={form.text('email')} error={errorAt(error, 'email')} />
          <NewPasswordField
            name="password"
            label="Password"
            advice="A few words in a row are good."
            error={errorAt(error, 'password')}
          />
          <button class="button button-primary button-wide" type="submit">
            Create account
          </button>
        </PostForm>
      ) : (
        <Notice>New accounts are closed here. Ask a member of your workspace for an invitation.</Notice>
      )}
      <p class="small muted">
        Have an account?{' '}
        <a href={invitation === '' ? '/portal/sign-in' : '/portal/sign-in?return=/portal/workspaces'}>
          {invitation === '' ? 'Sign in' : 'Sign in and accept'}
        </a>
      </p>
    </CardPage>,
    error?.status ?? 200,
  )
}

export const signUpRoutes = [
  publicPage('/portal/sign-up', (ctx) => signUpPage(ctx, null)),

  publicFormAction('/portal/sign-up', async (ctx) => {
    const { form } = ctx
    const invitation = form.text('invitation')
    const account = await attempt(
      ctx.api.form<LoginReply>('/auth/register-user', {
        name: form.text('name'),
        email: form.text('email'),
        password: form.raw('password'),
        ...(invitation === '' ? {} : { invitation }),
      }),
      [404],
    )
    if (!account.ok) return signUpPage(ctx, account.error)
    return redirect(safeReturn(form.raw('return'), HOME), await sessionCookies(form.text('email'), account.value))
  }),
]
