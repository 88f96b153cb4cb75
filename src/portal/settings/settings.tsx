import type { FC } from 'hono/jsx'
import { clearCookie, SESSION_COOKIE } from '../../auth/index.ts'
import type { AppError } from '../../core/errors.ts'
import { REGION_NAMES } from '../../core/regions.ts'
import { redirectWithFlash, redirect, renderPage } from '../respond.tsx'
import { attempt, errorAt } from '../form.ts'
import { flashForVisitor } from '../flash.ts'
import { ConfirmPasswordField, Username } from '../components/account-fields.tsx'
import { Id } from '../components/id.tsx'
import { Card, Facts, Time } from '../components/elements.tsx'
import { Check, Choices, Field, PostForm } from '../components/fields.tsx'
import { Shell } from '../components/shell.tsx'
import type { PageContext } from '../page-context.ts'
import { formAction, page } from '../route.ts'
import { changePassword, keysOf, Password } from './password.tsx'
import { Sessions, sessionsOf } from './sessions.tsx'
import { HandOver, handOver, otherPeople, tenantOf } from './tenant.tsx'

const THEMES = [
  { value: 'system', label: 'As the device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

/** The form whose request the API refused. */
interface Refused {
  form: 'profile' | 'password' | 'owner' | 'delete'
  error: AppError
}

export const settingsRoutes = [
  page('/portal/settings', (ctx) => settingsPage(ctx, null)),

  formAction('/portal/settings', async (ctx) => {
    const { form } = ctx
    const body = {
      name: form.text('name'),
      settings: {
        theme: form.text('theme'),
        language: form.text('language'),
        notifications: { email: form.has('notify_email'), push: form.has('notify_push') },
      },
    }
    const saved = await attempt(ctx.api.patch('/api/users/me', body))
    if (!saved.ok) return settingsPage(ctx, { form: 'profile', error: saved.error })
    return redirectWithFlash(ctx, '/portal/settings', { tone: 'ok', text: 'Saved.' })
  }),

  formAction('/portal/settings/password', async (ctx) => {
    const changed = await changePassword(ctx)
    if (!changed.ok) return settingsPage(ctx, { form: 'password', error: changed.error })
    return redirectWithFlash(ctx, '/portal/settings', {
      tone: 'ok',
      text: 'Your password was changed; other sessions have ended.',
    })
  }),

  formAction('/portal/settings/owner', async (ctx) => {
    const handed = await handOver(ctx)
    if (!handed.ok) return settingsPage(ctx, { form: 'owner', error: handed.error })
    return redirectWithFlash(ctx, '/portal/settings', { tone: 'ok', text: 'The ownership was handed over.' })
  }),

  formAction('/portal/settings/delete', async (ctx) => {
    const gone = await attempt(ctx.api.delete('/api/users/me', { password: ctx.form.raw('password') }))
    if (!gone.ok) return settingsPage(ctx, { form: 'delete', error: gone.error })
    const told = await flashForVisitor(ctx, { tone: 'ok', text: 'Your account is deleted.' })
    return redirect('/portal/sign-in', [clearCookie(SESSION_COOKIE), ...told])
  }),
]

export async function settingsPage(ctx: PageContext, refused: Refused | null): Promise<Response> {
  const [sessions, tenant, keys] = await Promise.all([sessionsOf(ctx), tenantOf(ctx), keysOf(ctx)])
  const others = tenant.owner_id === ctx.me.id ? await otherPeople(ctx) : null
  const errorOf = (form: Refused['form']) => (refused?.form === form ? refused.error : null)
  return renderPage(
    ctx,
    <Shell ctx={ctx} title="Settings" current="/portal/settings" narrow>
      <Profile ctx={ctx} error={errorOf('profile')} />
      <Password ctx={ctx} keys={keys} error={errorOf('password')} />
      <Sessions ctx={ctx} sessions={sessions} />
      {others && <HandOver ctx={ctx} others={others} error={errorOf('owner')} />}
      <DeleteAccount ctx={ctx} error={errorOf('delete')} />
    </Shell>,
    refused?.error.status ?? 200,
  )
}

const Profile: FC<{ ctx: PageContext; error: AppError | null }> = ({ ctx, error }) => {
  const { me } = ctx
  const { settings } = me
  return (
    <Card title="Profile">
      <div class="card-body">
        <Facts
          rows={[
            ['E-mail address', me.email],
            ['Id', <Id of={me.id} />],
            ['Member since', <Time at={me.created_at} />],
            ...(me.region ? [['Region', REGION_NAMES[me.region]] as const] : []),
          ]}
        />
        <PostForm ctx={ctx} action="/portal/settings" error={error}>
          <Field
            name="name"
            label="Name"
            required
            maxlength={120}
            autocomplete="name"
            value={error ? ctx.form.text('name') : me.name}
            error={errorAt(error, 'name')}
          />
          <Choices name="theme" legend="Appearance" options={THEMES} value={settings.theme} />
          <Field
            name="language"
            label="Language"
            value={error ? ctx.form.text('language') : settings.language}
            hint="A language tag, such as en-US. For your apps; this portal is in English."
            error={errorAt(error, 'settings.language')}
          />
          <fieldset>
            <legend>Notifications, for your apps to respect</legend>
            <div class="checks">
              <Check name="notify_email" checked={settings.notifications.email} label="By e-mail" />
              <Check name="notify_push" checked={settings.notifications.push} label="On my devices" />
            </div>
          </fieldset>
          <div class="row">
            <button class="button button-primary" type="submit">
              Save
            </button>
            <a class="button button-quiet" href="/portal/settings/export" download>
              Download all your data
            </a>
          </div>
        </PostForm>
      </div>
    </Card>
  )
}

const DeleteAccount: FC<{ ctx: PageContext; error: AppError | null }> = ({ ctx, error }) => (
  <Card title="Delete your account" danger>
    <div class="card-body">
      <p>Your account, your keys, and everything that belongs only to you are erased. This cannot be undone.</p>
      <PostForm ctx={ctx} action="/portal/settings/delete" class="form-inline" error={error}>
        <Username email={ctx.me.email} />
        <ConfirmPasswordField id="delete-password" error={errorAt(error, 'password')} />
        <button class="button button-danger" type="submit">
          Delete my account
        </button>
      </PostForm>
    </div>
  </Card>
)
