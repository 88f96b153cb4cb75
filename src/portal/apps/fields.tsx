import type { FC } from 'hono/jsx'
import { SCOPES } from '../../core/context.ts'
import type { AppError } from '../../core/errors.ts'
import { SCOPE_TEXTS, type App } from '../../auth/index.ts'
import { errorAt, type Form } from '../form.ts'
import { Check, Field, FieldGroup } from '../components/fields.tsx'

export type AppValues = Pick<App, 'name' | 'redirect_uris' | 'scopes' | 'require_pkce' | 'refresh_grace_seconds'>

export const valuesIn = (form: Form) => ({
  name: form.text('name'),
  redirect_uris: form
    .text('redirect_uris')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== ''),
  scopes: form.all('scope') as App['scopes'],
  require_pkce: form.has('require_pkce'),
  refresh_grace_seconds: Number(form.text('refresh_grace_seconds')),
})

/** The fields of the forms that create and change an app. */
export const AppFields: FC<{ values: AppValues; error: AppError | null }> = ({ values, error }) => (
  <>
    <Field
      name="name"
      label="Name"
      required
      maxlength={120}
      placeholder="Meeting notes"
      hint="Shown to the people it asks for access."
      value={values.name}
      error={errorAt(error, 'name')}
    />
    <Field
      name="redirect_uris"
      label="Redirect addresses"
      rows={3}
      required
      placeholder="https://app.example.com/callback"
      hint="One per line, each exactly as your app sends it."
      value={values.redirect_uris.join('\n')}
      error={errorAt(error, 'redirect_uris')}
    />
    <FieldGroup name="scopes" legend="What it can ask for" error={errorAt(error, 'scopes')}>
      <div class="checks">
        {SCOPES.map((scope) => (
          <Check
            name="scope"
            value={scope}
            checked={values.scopes.includes(scope)}
            label={<strong>{SCOPE_TEXTS[scope]}</strong>}
            hint={<code>{scope}</code>}
          />
        ))}
      </div>
    </FieldGroup>
    <Check
      name="require_pkce"
      checked={values.require_pkce}
      label="Require PKCE"
      hint="Public apps always need it. For confidential apps it closes one more hole; turn it on if your library supports it."
    />
    <Field
      name="refresh_grace_seconds"
      type="number"
      min="0"
      max="60"
      label="Grace for a repeated refresh, in seconds"
      hint="How long an exchanged refresh token still gets the same successor, so that a lost response logs no one out."
      value={String(values.refresh_grace_seconds)}
      error={errorAt(error, 'refresh_grace_seconds')}
    />
  </>
)
