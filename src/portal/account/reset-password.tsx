import { CardPage } from '../../auth/index.ts'
import type { AppError } from '../../core/errors.ts'
import type { ResetReply } from '../../identity/index.ts'
import { redirect, renderPage } from '../respond.tsx'
import { attempt, errorAt } from '../form.ts'
import { NewPasswordField } from '../components/account-fields.tsx'
import { Hidden, PostForm } from '../components/fields.tsx'
import type { PublicPageContext } from '../page-context.ts'
import { publicFormAction, publicPage } from '../route.ts'
import { resetCookie } from './session-cookies.ts'

/** The target of a one-time reset link. */
export const resetPasswordRoutes = [
  publicPage('/portal/reset-password', (ctx) => resetPage(ctx, ctx.url.searchParams.get('token') ?? '', null)),

  publicFormAction('/portal/reset-password', async (ctx) => {
    const token = ctx.form.raw('token')
    const fields = { token, password: ctx.form.raw('password') }
    const set = await attempt(ctx.api.form<ResetReply>('/auth/reset-password', fields))
    return set.ok ? redirect('/portal/sign-in', [resetCookie(set.value)]) : resetPage(ctx, token, set.error)
  }),
]

const resetPage = (ctx: PublicPageContext, token: string, error: AppError | null): Promise<Response> =>
  renderPage(
    ctx,
    <CardPage title="Set a new password">
      <h1>Set a new password</h1>
      <PostForm ctx={ctx} action="/portal/reset-password" error={error}>
        <Hidden name="token" value={token} />
        <NewPasswordField
          name="password"
          label="New password"
          advice="Your sessions, connected apps and API keys end with the old password."
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
