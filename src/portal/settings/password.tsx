import type { FC } from 'hono/jsx'
import { invalid, type AppError } from '../../core/errors.ts'
import type { Page } from '../../core/http/cursor.ts'
import type { Key } from '../../identity/index.ts'
import { NewPasswordField, Username } from '../components/account-fields.tsx'
import { Card } from '../components/elements.tsx'
import { Choices, Field, PostForm } from '../components/fields.tsx'
import { attempt, errorAt } from '../form.ts'
import type { PageContext } from '../page-context.ts'

/** The user's own keys. */
export interface OwnKeys {
  /** Those of the page that was read that are alive. */
  alive: Key[]
  /** There are older ones, which may be the user's own. */
  more: boolean
}

export async function keysOf(ctx: PageContext): Promise<OwnKeys> {
  const { data, has_more: more } = await ctx.api.get<Page<Key>>('/v1/api-keys', { limit: 100 })
  const alive = data.filter(
    ({ status, workspace_id }) => workspace_id === null && (status === 'active' || status === 'rotating'),
  )
  return { alive, more }
}

/** A person is asked unless it is certain that they have no key: an answer decides about those that no page shows too. */
const mayHaveKeys = ({ alive, more }: OwnKeys): boolean => alive.length > 0 || more

/** Sets the password. What happens to the keys is asked of a person who has some, with no answer chosen. */
export async function changePassword(ctx: PageContext) {
  const { form } = ctx
  const keys = form.text('keys')
  const answered = keys === 'keep' || keys === 'end' || !mayHaveKeys(await keysOf(ctx))
  if (!answered)
    return { ok: false as const, error: invalid('keys', 'required', 'Choose what happens to your API keys.') }
  return attempt(
    ctx.api.post('/v1/users/me/password', {
      current_password: form.raw('current_password'),
      new_password: form.raw('new_password'),
      keep_keys: keys === 'keep',
    }),
  )
}

interface PasswordProps {
  ctx: PageContext
  keys: OwnKeys
  error: AppError | null
}

export const Password: FC<PasswordProps> = ({ ctx, keys, error }) => (
  <Card title="Password" lead="Your other sessions and your connected apps end with the old password.">
    <div class="card-body">
      <PostForm ctx={ctx} action="/portal/settings/password" error={error}>
        <Username email={ctx.me.email} />
        <Field
          name="current_password"
          type="password"
          label="Current password"
          required
          autocomplete="current-password"
          error={errorAt(error, 'current_password')}
        />
        <NewPasswordField name="new_password" label="New password" error={errorAt(error, 'new_password')} />
        {mayHaveKeys(keys) && (
          <Choices
            name="keys"
            legend="Your API keys"
            options={[
              { value: 'keep', label: keys.more ? 'Keep my API keys' : `Keep my API keys (${inUse(keys.alive)})` },
              { value: 'end', label: 'End them too' },
            ]}
            value={error ? ctx.form.text('keys') : ''}
            hint="If somebody else may know the old password, end them."
            error={errorAt(error, 'keys')}
          />
        )}
        <div>
          <button class="button" type="submit">
            Change password
          </button>
        </div>
      </PostForm>
    </div>
  </Card>
)

function inUse(keys: readonly Key[]): string {
  const used = keys.filter(({ last_used_at }) => last_used_at !== null).length
  return used === 1 ? '1 is in use' : `${used === 0 ? 'none' : used} ${used === 0 ? 'is' : 'are'} in use`
}
