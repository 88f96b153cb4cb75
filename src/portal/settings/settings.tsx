import type { FC } from 'hono/jsx'
import { clearCookie, SESSION_COOKIE } from '../../auth/index.ts'
import type { AppError } from '../../core/errors.ts'
import { done, redirect, show } from '../answer.tsx'
import { attempt, errorAt } from '../form.ts'
import { clearFlash } from '../flash.ts'
import { Card, Facts, Time } from '../parts/bits.tsx'
import { Check, Choices, Field, PostForm } from '../parts/fields.tsx'
import { Shell } from '../parts/shell.tsx'
import { action, view, type Visit } from '../visit.ts'
import { Sessions, sessionsOf } from './sessions.tsx'

const THEMES = [
  { value: 'system', label: 'As the device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

/** Which form of the page a refusal belongs to. */
interface Refused {
  form: 'profile' | 'password' | 'delete'
  error: AppError
}

export const settingsRoutes = [
  view('/portal/settings', (visit) => settingsPage(visit, null)),

  action('/portal/settings', async (visit) => {
    const { form } = visit
    const body = {
      name: form.text('name'),
      settings: {
        theme: form.text('theme'),
        language: form.text('language'),
        notifications: { email: form.has('notify_email'), push: form.has('notify_push') },
      },
    }
    const saved = await attempt(visit.api.patch('/api/users/me', body))
    if (!saved.ok) return settingsPage(visit, { form: 'profile', error: saved.error })
    return done(visit, '/portal/settings', { tone: 'ok', text: 'Saved.' })
  }),

  action('/portal/settings/password', async (visit) => {
    const { form } = visit
    const body = {
      current_password: form.raw('current_password'),
      new_password: form.raw('new_password'),
      keep_keys: form.has('keep_keys'),
    }
    const changed = await attempt(visit.api.post('/v1/users/me/password', body))
    if (!changed.ok) return settingsPage(visit, { form: 'password', error: changed.error })
    return done(visit, '/portal/settings', { tone: 'ok', text: 'Your password is changed; other sessions have ended.' })
  }),

  action('/portal/settings/delete', async (visit) => {
    const gone = await attempt(visit.api.delete('/api/users/me', { password: visit.form.raw('password') }))
    if (!gone.ok) return settingsPage(visit, { form: 'delete', error: gone.error })
    return redirect('/portal/sign-in', [clearCookie(SESSION_COOKIE), clearFlash()])
  }),
]

export async function settingsPage(visit: Visit, refused: Refused | null): Promise<Response> {
  const sessions = await sessionsOf(visit)
  const errorOf = (form: Refused['form']) => (refused?.form === form ? refused.error : null)
  return show(
    visit,
    <Shell visit={visit} title="Settings" current="/portal/settings" narrow>
      <Profile visit={visit} error={errorOf('profile')} />
      <Password visit={visit} error={errorOf('password')} />
      <Sessions visit={visit} sessions={sessions} />
      <DeleteAccount visit={visit} error={errorOf('delete')} />
    </Shell>,
    refused?.error.status ?? 200,
  )
}

const Profile: FC<{ visit: Visit; error: AppError | null }> = ({ visit, error }) => {
  const { me } = visit
  const { settings } = me
  return (
    <Card title="Profile">
      <div class="card-body">
        <Facts
          rows={[
            ['E-mail address', me.email],
            ['Id', <code>{me.id}</code>],
            ['Member since', <Time at={me.created_at} />],
          ]}
        />
        <PostForm visit={visit} action="/portal/settings" error={error}>
          <Field
            name="name"
            label="Name"
            required
            maxlength={120}
            autocomplete="name"
            value={error ? visit.form.text('name') : me.name}
            error={errorAt(error, 'name')}
          />
          <Choices name="theme" legend="Appearance" options={THEMES} value={settings.theme} />
          <Field
            name="language"
            label="Language"
            value={error ? visit.form.text('language') : settings.language}
            hint="A language tag, such as en-US. For your apps; this portal speaks English."
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

const Password: FC<{ visit: Visit; error: AppError | null }> = ({ visit, error }) => (
  <Card title="Password">
    <div class="card-body">
      <PostForm visit={visit} action="/portal/settings/password" error={error}>
        <Username email={visit.me.email} />
        <Field
          name="current_password"
          type="password"
          label="Current password"
          required
          autocomplete="current-password"
          error={errorAt(error, 'current_password')}
        />
        <Field
          name="new_password"
          type="password"
          label="New password"
          required
          minlength={12}
          autocomplete="new-password"
          hint="At least 12 characters."
          error={errorAt(error, 'new_password')}
        />
        <Check
          name="keep_keys"
          label="Keep my API keys"
          hint="Otherwise they end with the old password, as your other sessions and connected apps do."
        />
        <div>
          <button class="button" type="submit">
            Change password
          </button>
        </div>
      </PostForm>
    </div>
  </Card>
)

/** Tells password managers whose password it is. */
const Username: FC<{ email: string }> = ({ email }) => (
  <input type="text" autocomplete="username" value={email} readonly hidden aria-label="E-mail address" />
)

const DeleteAccount: FC<{ visit: Visit; error: AppError | null }> = ({ visit, error }) => (
  <Card title="Delete your account" danger>
    <div class="card-body">
      <p>You, your keys, and what belongs to you alone are erased. This cannot be undone.</p>
      <PostForm visit={visit} action="/portal/settings/delete" class="form-inline" error={error}>
        <Username email={visit.me.email} />
        <Field
          name="password"
          id="delete-password"
          type="password"
          label="Your password, to confirm"
          required
          autocomplete="current-password"
          error={errorAt(error, 'password')}
        />
        <button class="button button-danger" type="submit">
          Delete my account
        </button>
      </PostForm>
    </div>
  </Card>
)
