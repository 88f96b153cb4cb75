import type { FC } from 'hono/jsx'
import type { AppError } from '../../core/errors.ts'
import type { Page } from '../../core/http/cursor.ts'
import type { Person, Tenant } from '../../identity/index.ts'
import { Card } from '../components/elements.tsx'
import { ConfirmPasswordField, Username } from '../components/account-fields.tsx'
import { PostForm, Select } from '../components/fields.tsx'
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

/** As many as one page of a list may hold. */
const MAX_PEOPLE = 100

interface Others {
  people: readonly Person[]
  /** There are more than the form lists. */
  hasMore: boolean
}

/** The others whom the owner can choose from, newest first. */
export async function otherPeople(ctx: PageContext): Promise<Others> {
  const { data, has_more } = await ctx.api.get<Page<Person>>('/v1/tenant/people', { limit: MAX_PEOPLE })
  return { people: data.filter(({ user_id }) => user_id !== ctx.me.id), hasMore: has_more }
}

interface HandOverProps {
  ctx: PageContext
  others: Others
  error: AppError | null
}

/** For the owner of the tenant alone. */
export const HandOver: FC<HandOverProps> = ({ ctx, others, error }) => (
  <Card
    title="Ownership"
    lead="You own this tenant and can create reset links for the people in it. You cannot delete your account while others are here."
  >
    <div class="card-body">
      <p>
        <a href="/portal/settings/people">Everyone here, and reset links</a>
      </p>
      {others.people.length === 0 ? (
        <p class="muted">You are the only person here, so there is nobody to hand it over to.</p>
      ) : (
        <PostForm ctx={ctx} action="/portal/settings/owner" error={ownerError(ctx, error) ? null : error}>
          <Username email={ctx.me.email} />
          <Select
            name="owner_id"
            label="New owner"
            options={[
              { value: '', label: 'Choose a person' },
              ...others.people.map(({ user_id, name, email }) => ({ value: user_id, label: `${name} (${email})` })),
            ]}
            value={ctx.form.text('owner_id')}
            hint={others.hasMore && `The newest ${MAX_PEOPLE} people. The API hands over to any other one.`}
            error={ownerError(ctx, error)}
          />
          <ConfirmPasswordField id="owner-password" error={errorAt(error, 'password')} />
          <div>
            <button class="button" type="submit">
              Hand over
            </button>
          </div>
        </PostForm>
      )}
    </div>
  </Card>
)

function ownerError(ctx: PageContext, error: AppError | null): string | undefined {
  if (error?.status === 404) return 'This person is no longer here.'
  const fault = errorAt(error, 'owner_id')
  return fault && ctx.form.text('owner_id') === '' ? 'Choose a person.' : fault
}
