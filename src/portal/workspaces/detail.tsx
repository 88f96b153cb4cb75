import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { AppError } from '../../core/errors.ts'
import type { Member, Workspace } from '../../identity/index.ts'
import { done, redirect, show } from '../answer.tsx'
import { attempt, errorAt } from '../form.ts'
import { Badge, Card, Code, Facts, Notice, Pager, Time } from '../parts/bits.tsx'
import { NameToDelete, nameMismatch } from '../parts/delete.tsx'
import { Field, PostForm, Select } from '../parts/fields.tsx'
import { Shell } from '../parts/shell.tsx'
import { action, view, type Visit } from '../visit.ts'
import type { Page } from '../../core/http/cursor.ts'
import { MemberTable } from './members.tsx'
import { ROLE_OPTIONS, ROLE_WORDS } from './roles.ts'

/** Which form of the page a refusal belongs to. */
interface Refused {
  form: 'rename' | 'invite' | 'member' | 'delete'
  error: AppError
}

const idOf = (visit: Visit): string => visit.params['id'] ?? ''
const pathOf = (visit: Visit): string => `/v1/workspaces/${idOf(visit)}`
const pageOf = (visit: Visit): string => `/portal/workspaces/${idOf(visit)}`

export const workspaceDetailRoutes = [
  view('/portal/workspaces/:id', (visit) => workspacePage(visit, null)),

  action('/portal/workspaces/:id', async (visit) => {
    const saved = await attempt(visit.api.patch(pathOf(visit), { name: visit.form.text('name') }))
    if (!saved.ok) return workspacePage(visit, { form: 'rename', error: saved.error })
    return done(visit, pageOf(visit), { tone: 'ok', text: 'Saved.' })
  }),

  action('/portal/workspaces/:id/members', async (visit) => {
    const body = { email: visit.form.text('email'), role: visit.form.text('role') }
    const added = await attempt(visit.api.post<{ invitation_url?: string }>(`${pathOf(visit)}/members`, body))
    if (!added.ok) return workspacePage(visit, { form: 'invite', error: added.error })
    const link = added.value.invitation_url
    return done(visit, pageOf(visit), {
      tone: 'ok',
      text: link === undefined ? 'They are a member now.' : 'Invited.',
      ...(link === undefined ? {} : { secret: { of: idOf(visit), value: link } }),
    })
  }),

  action('/portal/workspaces/:id/members/:user_id', async (visit) => {
    const path = `${pathOf(visit)}/members/${visit.params['user_id']}`
    const changed = await attempt(visit.api.patch(path, { role: visit.form.text('role') }))
    if (!changed.ok) return workspacePage(visit, { form: 'member', error: changed.error })
    return done(visit, pageOf(visit), { tone: 'ok', text: 'The role is changed, from the next request on.' })
  }),

  action('/portal/workspaces/:id/members/:user_id/reset-link', async (visit) => {
    const path = `${pathOf(visit)}/members/${visit.params['user_id']}/reset-link`
    const made = await attempt(visit.api.post<{ reset_url: string }>(path))
    if (!made.ok) return workspacePage(visit, { form: 'member', error: made.error })
    return done(visit, pageOf(visit), {
      tone: 'ok',
      text: 'The reset link is ready.',
      secret: { of: `${idOf(visit)} reset`, value: made.value.reset_url },
    })
  }),

  action('/portal/workspaces/:id/members/:user_id/remove', async (visit) => {
    const removed = await attempt(visit.api.delete(`${pathOf(visit)}/members/${visit.params['user_id']}`))
    if (!removed.ok) return workspacePage(visit, { form: 'member', error: removed.error })
    if (visit.params['user_id'] === visit.me.id) return redirect('/portal/workspaces')
    return done(visit, pageOf(visit), { tone: 'ok', text: 'They are no longer a member.' })
  }),

  action('/portal/workspaces/:id/delete', async (visit) => {
    const { name } = await visit.api.get<Workspace>(pathOf(visit))
    const mismatch = nameMismatch(visit.form, name)
    if (mismatch) return workspacePage(visit, { form: 'delete', error: mismatch })
    const deleted = await attempt(visit.api.delete(pathOf(visit)))
    if (!deleted.ok) return workspacePage(visit, { form: 'delete', error: deleted.error })
    return done(visit, '/portal/workspaces', { tone: 'ok', text: 'The workspace and its projects are deleted.' })
  }),
]

async function workspacePage(visit: Visit, refused: Refused | null): Promise<Response> {
  const [workspace, members] = await Promise.all([
    visit.api.get<Workspace>(pathOf(visit)),
    visit.api.get<Page<Member>>(`${pathOf(visit)}/members`, { cursor: visit.url.searchParams.get('cursor') ?? '' }),
  ])
  const manages = workspace.role === 'owner' || workspace.role === 'admin'
  const errorOf = (form: Refused['form']) => (refused?.form === form ? refused.error : null)
  const secret = visit.flash?.secret
  return show(
    visit,
    <Shell
      visit={visit}
      title="Workspace"
      heading={<Visible text={workspace.name} />}
      current="/portal/workspaces"
      crumb={{ href: '/portal/workspaces', label: 'Workspaces' }}
    >
      {secret?.of === workspace.id && (
        <OneTimeLink
          link={secret.value}
          label="Invitation link"
          lead="No mail is sent. It is shown this once, works once, and lasts seven days."
        />
      )}
      {secret?.of === `${workspace.id} reset` && (
        <OneTimeLink
          link={secret.value}
          label="Password reset link"
          lead="Whoever has it sets a new password. It is shown this once, works once, and lasts a day."
        />
      )}
      <Card>
        <div class="card-body">
          <Facts
            rows={[
              ['Id', <code>{workspace.id}</code>],
              ['Your role', <Badge plain>{ROLE_WORDS[workspace.role].label}</Badge>],
              ['Made', <Time at={workspace.created_at} />],
            ]}
          />
        </div>
      </Card>
      <Card title="Members">
        {errorOf('member') && (
          <div class="card-body">
            <Notice tone="danger">{errorOf('member')?.detail}</Notice>
          </div>
        )}
        <MemberTable
          visit={visit}
          workspaceId={workspace.id}
          members={members.data}
          manages={manages}
          owns={workspace.role === 'owner'}
        />
      </Card>
      <Pager url={visit.url} next={members.next_cursor} />
      {manages && <Invite visit={visit} error={errorOf('invite')} />}
      {manages && <Rename visit={visit} name={workspace.name} error={errorOf('rename')} />}
      {workspace.role === 'owner' && (
        <NameToDelete
          visit={visit}
          action={`${pageOf(visit)}/delete`}
          what="workspace"
          name={workspace.name}
          consequence="Its projects with all memories, its keys and its memberships end at once. This cannot be undone."
          error={errorOf('delete')}
        />
      )}
    </Shell>,
    refused?.error.status ?? 200,
  )
}

const OneTimeLink: FC<{ link: string; label: string; lead: string }> = ({ link, label, lead }) => (
  <Card title="Send them this link" lead={lead}>
    <div class="card-body">
      <Code label={label} text={link} secret />
    </div>
  </Card>
)

const Invite: FC<{ visit: Visit; error: AppError | null }> = ({ visit, error }) => (
  <Card title="Add a member" lead="Somebody without an account gets a link to make one.">
    <div class="card-body">
      <PostForm visit={visit} action={`${pageOf(visit)}/members`} class="form-inline" error={error}>
        <Field
          name="email"
          type="email"
          label="E-mail address"
          required
          value={error ? visit.form.text('email') : ''}
          error={errorAt(error, 'email')}
        />
        <Select
          name="role"
          label="Role"
          options={ROLE_OPTIONS}
          value={visit.form.text('role') || 'editor'}
          error={errorAt(error, 'role')}
        />
        <button class="button button-primary" type="submit">
          Add
        </button>
      </PostForm>
    </div>
  </Card>
)

const Rename: FC<{ visit: Visit; name: string; error: AppError | null }> = ({ visit, name, error }) => (
  <Card title="Rename">
    <div class="card-body">
      <PostForm visit={visit} action={pageOf(visit)} class="form-inline" error={error}>
        <Field
          name="name"
          label="Name"
          required
          maxlength={120}
          value={error ? visit.form.text('name') : name}
          error={errorAt(error, 'name')}
        />
        <button class="button" type="submit">
          Save
        </button>
      </PostForm>
    </div>
  </Card>
)
