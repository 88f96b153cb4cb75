import { CardPage, findClient, isOwned, safeReturn, Visible, type LoginReply } from '../../auth/index.ts'
import type { AppError } from '../../core/errors.ts'
import { shownInvitation, signUpsOf } from '../../identity/index.ts'
import { redirect, renderPage } from '../respond.tsx'
import { visitorFlash } from '../flash.ts'
import { attempt } from '../form.ts'
import { EmailField } from '../components/account-fields.tsx'
import { Notice } from '../components/elements.tsx'
import { Field, Hidden, PostForm } from '../components/fields.tsx'
import type { PublicPageContext } from '../page-context.ts'
import { publicFormAction, publicPage } from '../route.ts'
import { Invited } from './invited.tsx'
import { deviceFields, endedReset, sessionCookies } from './session-cookies.ts'

export const HOME = '/portal'
/** Characters of the way back in the link of a refused form. Each may take three bytes. */
const MAX_RETURN_SHOWN = 2_048
/** Characters of a name that an application gave itself. */
const MAX_OWN_NAME = 40

async function signInPage(ctx: PublicPageContext, error: AppError | null): Promise<Response> {
  const back = safeReturn(ctx.form.raw('return') || ctx.url.searchParams.get('return'), HOME)
  const invitation = ctx.form.text('invitation') || (ctx.url.searchParams.get('invitation') ?? '')
  const [signups, application, message, invited] = await Promise.all([
    signUpsOf(ctx.system),
    applicationOf(ctx, back),
    visitorFlash(ctx),
    invitation === '' ? null : shownInvitation(ctx.system, invitation),
  ])
  // A refusal repeats little of what was sent (contract §1).
  const query = back === HOME || (error && back.length > MAX_RETURN_SHOWN) ? '' : `?return=${encodeURIComponent(back)}`
  return renderPage(
    ctx,
    <CardPage title="Sign in">
      <h1>
        {application === null ? (
          'Sign in'
        ) : (
          <>
            Sign in to let <Visible text={application.name} /> in
          </>
        )}
      </h1>
      {message && <Notice tone={message.tone}>{message.text}</Notice>}
      {application !== null && (
        <p class="muted">
          {application.returnsTo !== null && (
            <>
              It named itself; it returns to <strong class="consent-host">{application.returnsTo}</strong>.{' '}
            </>
          )}
          Next, you see what it asks for and can allow or refuse it.
        </p>
      )}
      {invitation !== '' && <Invited invited={invited} />}
      <PostForm ctx={ctx} action="/portal/sign-in" error={error}>
        <Hidden name="return" value={back} />
        {invited && <Hidden name="invitation" value={invitation} />}
        <EmailField value={ctx.form.text('email') || (invited?.email ?? '')} autofocus={!error} />
        <Field name="password" label="Password" type="password" required autocomplete="current-password" />
        <button class="button button-primary button-wide" type="submit">
          Sign in
        </button>
      </PostForm>
      <details class="disclosure small">
        <summary>Forgot your password?</summary>
        <div class="stack muted">
          <p>This service does not send mail. Ask someone who can create a reset link for you:</p>
          <ul class="bullets">
            <li>an owner of your workspace, under Workspaces, next to your name;</li>
            <li>the owner of your account, under Settings, Everyone here.</li>
          </ul>
          <p>The link lasts a day and works once. If you are the only owner, ask the operator of this service.</p>
        </div>
      </details>
      {signups !== 'closed' ? (
        <p class="small muted">
          {signups === 'first' ? 'No one has an account here yet.' : 'New here?'}{' '}
          <a href={`/portal/sign-up${query}`}>Create an account</a>
        </p>
      ) : (
        <p class="small muted">New accounts need an invitation from a member of a workspace.</p>
      )}
    </CardPage>,
    error?.status ?? 200,
  )
}

interface Application {
  name: string
  /** The host to which an application returns that a stranger named; null for one that a user of ours made. */
  returnsTo: string | null
}

/** The application that asks for access on the way back: its name, of an unknown document its host; null for other ways. */
async function applicationOf(ctx: PublicPageContext, back: string): Promise<Application | null> {
  const { pathname, searchParams } = new URL(back, ctx.url)
  if (pathname !== '/auth/authorize') return null
  const clientId = searchParams.get('client_id') ?? ''
  const client = await findClient(ctx.system, clientId)
  if (client === null) {
    const host = clientId.startsWith('https://') ? URL.parse(clientId)?.host : undefined
    return host === undefined ? null : { name: host, returnsTo: null }
  }
  if (isOwned(client)) return { name: client.name, returnsTo: null }
  const asked = searchParams.get('redirect_uri') ?? ''
  const hosts = client.redirectUris.map((uri) => URL.parse(uri)?.hostname)
  const returnsTo = hosts.find((host) => host === URL.parse(asked)?.hostname) ?? hosts[0] ?? null
  const characters = Array.from(client.name)
  const name = characters.length > MAX_OWN_NAME ? `${characters.slice(0, MAX_OWN_NAME).join('')}…` : client.name
  return { name: `“${name}”`, returnsTo }
}

export const signInRoutes = [
  publicPage('/portal/sign-in', (ctx) => signInPage(ctx, null)),

  publicFormAction('/portal/sign-in', async (ctx) => {
    const email = ctx.form.text('email')
    const device = await deviceFields(ctx.request.headers, email)
    const fields = { username: email, password: ctx.form.raw('password'), ...device }
    const login = await attempt(ctx.api.form<LoginReply>('/auth/login', fields), [401])
    if (!login.ok) return signInPage(ctx, login.error)
    const cookies = [...(await sessionCookies(email, login.value)), ...endedReset(ctx.request.headers)]
    return redirect(safeReturn(ctx.form.raw('return'), HOME), cookies)
  }),
]
