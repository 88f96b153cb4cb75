import type { FC } from 'hono/jsx'
import { CardPage, safeReturn, type LoginReply } from '../../auth/index.ts'
import type { AppError } from '../../core/errors.ts'
import { openRegions, REGION_NAMES } from '../../core/regions.ts'
import { shownInvitation, signUpsOf } from '../../identity/index.ts'
import { redirect, renderPage } from '../respond.tsx'
import { attempt, errorAt } from '../form.ts'
import { EmailField, NewPasswordField } from '../components/account-fields.tsx'
import { Notice } from '../components/elements.tsx'
import { Field, Hidden, PostForm, Select } from '../components/fields.tsx'
import type { PublicPageContext } from '../page-context.ts'
import { publicFormAction, publicPage } from '../route.ts'
import { sessionCookies } from './session-cookies.ts'
import { Invited } from './invited.tsx'
import { HOME } from './sign-in.tsx'

async function signUpPage(ctx: PublicPageContext, error: AppError | null): Promise<Response> {
  const { form, url } = ctx
  const invitation = form.text('invitation') || (url.searchParams.get('invitation') ?? '')
  const back = safeReturn(form.raw('return') || url.searchParams.get('return'), HOME)
  const [signups, invited] = await Promise.all([
    invitation === '' ? signUpsOf(ctx.system) : 'open',
    invitation === '' ? null : shownInvitation(ctx.system, invitation),
  ])
  return renderPage(
    ctx,
    <CardPage title="Create an account">
      <h1>{invitation === '' ? 'Create an account' : 'Accept your invitation'}</h1>
      {invitation !== '' && <Invited invited={invited} />}
      {signups === 'first' && (
        <p class="muted">
          No one has an account here yet. Sign-ups close after this one; everyone else joins by invitation.
        </p>
      )}
      {invited?.isFull ? null : signups !== 'closed' ? (
        <PostForm ctx={ctx} action="/portal/sign-up" error={error}>
          <Hidden name="return" value={back} />
          {invitation !== '' && <Hidden name="invitation" value={invitation} />}
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
          <EmailField value={form.text('email') || (invited?.email ?? '')} error={errorAt(error, 'email')} />
          <NewPasswordField
            name="password"
            label="Password"
            advice="A few words in a row work well."
            error={errorAt(error, 'password')}
          />
          {signups === 'open' && invitation === '' && <RegionField ctx={ctx} error={error} />}
          <button class="button button-primary button-wide" type="submit">
            Create account
          </button>
        </PostForm>
      ) : (
        <Notice>New accounts are closed here. Ask a member of your workspace for an invitation.</Notice>
      )}
      {!invited?.isFull && (
        <p class="small muted">
          Have an account?{' '}
          <a href={invitation === '' ? '/portal/sign-in' : acceptanceOf(invitation)}>
            {invitation === '' ? 'Sign in' : 'Sign in and accept'}
          </a>
        </p>
      )}
    </CardPage>,
    error?.status ?? 200,
  )
}

/** Where somebody who has an account signs in to accept. */
const acceptanceOf = (invitation: string): string =>
  `/portal/sign-in?${new URLSearchParams({ return: '/portal/workspaces', invitation }).toString()}`

/** Where the account is kept, in a deployment where that is a choice. */
const RegionField: FC<{ ctx: PublicPageContext; error: AppError | null }> = ({ ctx, error }) => {
  const regions = openRegions(ctx.system.config, false)
  if (regions.length < 2) return <></>
  return (
    <Select
      name="region"
      label="Region"
      hint="Where your memories are stored. It cannot be changed later."
      options={[
        { value: '', label: 'Nearest to you' },
        ...regions.map((region) => ({ value: region, label: REGION_NAMES[region] })),
      ]}
      value={ctx.form.text('region')}
      error={errorAt(error, 'region')}
    />
  )
}

export const signUpRoutes = [
  publicPage('/portal/sign-up', (ctx) => signUpPage(ctx, null)),

  publicFormAction('/portal/sign-up', async (ctx) => {
    const { form } = ctx
    const [invitation, region] = [form.text('invitation'), form.text('region')]
    const account = await attempt(
      ctx.api.form<LoginReply>('/auth/register-user', {
        name: form.text('name'),
        email: form.text('email'),
        password: form.raw('password'),
        ...(invitation === '' ? {} : { invitation }),
        ...(region === '' ? {} : { region }),
      }),
      [404],
    )
    if (!account.ok) return signUpPage(ctx, account.error)
    return redirect(safeReturn(form.raw('return'), HOME), await sessionCookies(form.text('email'), account.value))
  }),
]
