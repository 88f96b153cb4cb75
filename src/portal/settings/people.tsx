import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { Page } from '../../core/http/cursor.ts'
import type { AppError } from '../../core/errors.ts'
import type { Person, ResetLink } from '../../identity/index.ts'
import { ConfirmPasswordField, Username } from '../components/account-fields.tsx'
import { Id } from '../components/id.tsx'
import { DetailPage } from '../components/detail-page.tsx'
import { Card, Time } from '../components/elements.tsx'
import { PostForm, Select } from '../components/fields.tsx'
import { ResetLinkOnce } from '../components/one-time-link.tsx'
import { Pager } from '../components/pager.tsx'
import { Table } from '../components/table.tsx'
import { attempt, errorAt } from '../form.ts'
import type { PageContext } from '../page-context.ts'
import { redirectWithFlash, renderPage } from '../respond.tsx'
import { formAction, page } from '../route.ts'

const PATH = '/portal/settings/people'

/** Every person of the tenant, for its owner: who they are, and a reset link for those who lost their password. */
export const peopleRoutes = [
  page(PATH, (ctx) => peoplePage(ctx, null)),

  formAction(PATH, async (ctx) => {
    const path = `/v1/tenant/people/${encodeURIComponent(ctx.form.text('user_id'))}/reset-link`
    const made = await attempt(
      ctx.api.post<ResetLink>(path, { password: ctx.form.raw('password') }, ctx.form.text('once')),
    )
    if (!made.ok) return peoplePage(ctx, made.error)
    const link = made.value.reset_url
    return redirectWithFlash(ctx, PATH, {
      tone: 'ok',
      text: 'The reset link is ready.',
      ...(link === null ? {} : { secret: { of: 'person', value: link } }),
    })
  }),
]

async function peoplePage(ctx: PageContext, error: AppError | null): Promise<Response> {
  const cursor = ctx.url.searchParams.get('cursor') ?? ''
  const people = await ctx.api.get<Page<Person>>('/v1/tenant/people', { cursor })
  const others = people.data.filter((person) => person.user_id !== ctx.me.id)
  const secret = ctx.flash?.secret
  return renderPage(
    ctx,
    <DetailPage ctx={ctx} title="People" name="People" list={{ href: '/portal/settings', label: 'Settings' }}>
      {secret?.of === 'person' && <ResetLinkOnce link={secret.value} />}
      <Card title="Everyone here" lead="Everyone with an account in your tenant, in any workspace.">
        <Table columns={['Name', 'Id', 'Since']}>
          {people.data.map((person) => (
            <tr>
              <td class="lead" data-label="Name">
                <span class="table-title">
                  <Visible text={person.name} />
                </span>
                <span class="table-sub">{person.email}</span>
              </td>
              <td data-label="Id">
                <Id of={person.user_id} />
              </td>
              <td data-label="Since">
                <Time at={person.created_at} />
              </td>
            </tr>
          ))}
        </Table>
      </Card>
      <Pager url={ctx.url} next={people.next_cursor} />
      {others.length > 0 && <MakeLink ctx={ctx} people={others} error={error} />}
    </DetailPage>,
    error?.status ?? 200,
  )
}

const MakeLink: FC<{ ctx: PageContext; people: readonly Person[]; error: AppError | null }> = ({
  ctx,
  people,
  error,
}) => (
  <Card
    title="Someone lost their password"
    lead="Anyone who has the link can log in as this person, who is notified that it was created."
  >
    <div class="card-body">
      <PostForm ctx={ctx} action={PATH} creates error={error}>
        <Username email={ctx.me.email} />
        <Select
          name="user_id"
          label="Person"
          options={people.map((person) => ({ value: person.user_id, label: person.email }))}
          value={ctx.form.text('user_id')}
        />
        <ConfirmPasswordField error={errorAt(error, 'password')} />
        <div>
          <button class="button" type="submit">
            Create a reset link
          </button>
        </div>
      </PostForm>
    </div>
  </Card>
)
