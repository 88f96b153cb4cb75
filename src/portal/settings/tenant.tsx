import type { FC } from 'hono/jsx'
import type { AppError } from '../../core/errors.ts'
import type { Tenant } from '../../identity/index.ts'
import { Card } from '../components/elements.tsx'
import { ConfirmPasswordField, Username } from '../components/account-fields.tsx'
import { Field, PostForm } from '../components/fields.tsx'
import { attempt, errorAt } from '../form.ts'
import type { PageContext } from '../page-context.ts'

export const tenantOf = (ctx: PageContext): Promise<Tenant> => ctx.api.get<Tenant>('/v1/tenant')

/** Hands the tenant over, as its form says. */
export const handOver = (ctx: PageContext) =>
  attempt(
    ctx.api.post<Tenant>('/v1/tenant/owner', {
      owner_id: ctx.form.text('owner_id'),
      password: ctx.form.raw('password'),
    }),
    [404],
  )

/** For the owner of the tenant alone. */
export const HandOver: FC<{ ctx: PageContext; error: AppError | null }> = ({ ctx, error }) => (
  <Card
    title="Ownership"
    lead="You own this tenant and can create reset links for the people in it. You cannot delete your account while others are here."
  >
    <div class="card-body">
      <p>
        <a href="/portal/settings/people">Everyone here, and reset links</a>
      </p>
      <PostForm ctx={ctx} action="/portal/settings/owner" error={error}>
        <Username email={ctx.me.email} />
        <Field
          name="owner_id"
          label="Id of the new owner"
          required
          placeholder="usr_…"
          hint="It is next to the name in the list of everyone here."
          value={ctx.form.text('owner_id')}
          error={error?.status === 404 ? 'No one here has this id.' : errorAt(error, 'owner_id')}
        />
        <ConfirmPasswordField id="owner-password" error={errorAt(error, 'password')} />
        <div>
          <button class="button" type="submit">
            Hand over
          </button>
        </div>
      </PostForm>
    </div>
  </Card>
)
