import type { FC } from 'hono/jsx'
import type { AppError } from '../../core/errors.ts'
import type { Invitation, Member, ResetLink, Tenant, Workspace } from '../../identity/index.ts'
import { redirectWithFlash, redirect, renderPage } from '../respond.tsx'
import { attempt, errorAt } from '../form.ts'
import { Id } from '../components/id.tsx'
import { DetailPage } from '../components/detail-page.tsx'
import { OneTimeLink, ResetLinkOnce } from '../components/one-time-link.tsx'
import { Pager } from '../components/pager.tsx'
import { Badge, Card, Facts, Notice, Time } from '../components/elements.tsx'
import { ConfirmDelete, nameMismatch } from '../components/confirm-delete.tsx'
import { Field, PostForm } from '../components/fields.tsx'
import type { PageContext } from '../page-context.ts'
import { formAction, page } from '../route.ts'
import type { Page } from '../../core/http/cursor.ts'
import { listProjects } from '../lists.ts'
import { Invite, invite, isUnnamed } from './invite.tsx'
import { SentInvitations } from './invitations.tsx'
import { MemberTable } from './members.tsx'
import { ROLE_LABELS } from './roles.ts'

/** The form whose request the API refused. */
interface Refused {
  form: 'rename' | 'invite' | 'member' | 'delete'
  error: AppError
}

const idOf = (ctx: PageContext): string => ctx.params['id'] ?? ''
const pathOf = (ctx: PageContext): string => `/v1/workspaces/${idOf(ctx)}`
const pageOf = (ctx: PageContext): string => `/portal/workspaces/${idOf(ctx)}`

export const workspaceDetailRoutes = [
  page('/portal/workspaces/:id', (ctx) => workspacePage(ctx, null)),

  formAction('/portal/workspaces/:id', async (ctx) => {
    const saved = await attempt(ctx.api.patch(pathOf(ctx), { name: ctx.form.text('name') }))
    if (!saved.ok) return workspacePage(ctx, { form: 'rename', error: saved.error })
    return redirectWithFlash(ctx, pageOf(ctx), { tone: 'ok', text: 'Saved.' })
  }),

  formAction('/portal/workspaces/:id/members', async (ctx) => {
    const invited = await invite(ctx, pathOf(ctx))
    if (!invited.ok) return workspacePage(ctx, { form: 'invite', error: invited.error })
    const link = invited.value.invitation_url
    return redirectWithFlash(ctx, pageOf(ctx), {
      tone: 'ok',
      text: 'Invited.',
      ...(link === null ? {} : { secret: { of: idOf(ctx), value: link } }),
    })
  }),

  formAction('/portal/workspaces/:id/members/:user_id', async (ctx) => {
    const path = `${pathOf(ctx)}/members/${ctx.params['user_id']}`
    const changed = await attempt(ctx.api.patch(path, { role: ctx.form.text('role') }))
    if (!changed.ok) return workspacePage(ctx, { form: 'member', error: changed.error })
    return redirectWithFlash(ctx, pageOf(ctx), {
      tone: 'ok',
      text: 'The role was changed, effective from the next request.',
    })
  }),

  formAction('/portal/workspaces/:id/members/:user_id/reset-link', async (ctx) => {
    const path = `${pathOf(ctx)}/members/${ctx.params['user_id']}/reset-link`
    const made = await attempt(ctx.api.post<ResetLink>(path))
    if (!made.ok) return workspacePage(ctx, { form: 'member', error: made.error })
    const link = made.value.reset_url
    return redirectWithFlash(ctx, pageOf(ctx), {
      tone: 'ok',
      text: 'The reset link is ready.',
      ...(link === null ? {} : { secret: { of: `${idOf(ctx)} reset`, value: link } }),
    })
  }),

  formAction('/portal/workspaces/:id/members/:user_id/remove', async (ctx) => {
    const removed = await attempt(ctx.api.delete(`${pathOf(ctx)}/members/${ctx.params['user_id']}`))
    if (!removed.ok) return workspacePage(ctx, { form: 'member', error: removed.error })
    if (ctx.params['user_id'] === ctx.me.id) return redirect('/portal/workspaces')
    return redirectWithFlash(ctx, pageOf(ctx), { tone: 'ok', text: 'They are no longer a member.' })
  }),

  formAction('/portal/workspaces/:id/delete', async (ctx) => {
    const { name } = await ctx.api.get<Workspace>(pathOf(ctx))
    const mismatch = nameMismatch(ctx.form, name)
    if (mismatch) return workspacePage(ctx, { form: 'delete', error: mismatch })
    const deleted = await attempt(ctx.api.delete(pathOf(ctx)))
    if (!deleted.ok) return workspacePage(ctx, { form: 'delete', error: deleted.error })
    return redirectWithFlash(ctx, '/portal/workspaces', {
      tone: 'ok',
      text: 'The workspace and its projects were deleted.',
    })
  }),
]

async function workspacePage(ctx: PageContext, refused: Refused | null): Promise<Response> {
  const [workspace, members, tenant, projects] = await Promise.all([
    ctx.api.get<Workspace>(pathOf(ctx)),
    ctx.api.get<Page<Member>>(`${pathOf(ctx)}/members`, { cursor: ctx.url.searchParams.get('cursor') ?? '' }),
    ctx.api.get<Tenant>('/v1/tenant'),
    listProjects(ctx),
  ])
  const manages = workspace.role === 'owner' || workspace.role === 'admin'
  const invitations = manages ? await ctx.api.get<Page<Invitation>>(`${pathOf(ctx)}/invitations`, { limit: 100 }) : null
  const errorOf = (form: Refused['form']) => (refused?.form === form ? refused.error : null)
  const secret = ctx.flash?.secret
  return renderPage(
    ctx,
    <DetailPage
      ctx={ctx}
      title="Workspace"
      name={workspace.name}
      list={{ href: '/portal/workspaces', label: 'Workspaces' }}
    >
      {secret?.of === workspace.id && (
        <OneTimeLink
          link={secret.value}
          label="Invitation link"
          lead="No mail is sent. The link is shown once, works once and lasts seven days. A new person creates an account with it; someone with an account finds the invitation on their Workspaces page."
        />
      )}
      {secret?.of === `${workspace.id} reset` && <ResetLinkOnce link={secret.value} />}
      {isUnnamed(workspace) && members.data.length > 1 && (
        <Notice tone="warn" title="Everyone here sees this workspace as “Personal”.">
          {manages ? <a href="#rename">Give it a name</a> : 'An owner or admin can give it a name.'}
        </Notice>
      )}
      <Card>
        <div class="card-body">
          <Facts
            rows={[
              ['Id', <Id of={workspace.id} />],
              ['Your role', <Badge plain>{ROLE_LABELS[workspace.role].label}</Badge>],
              ['Created', <Time at={workspace.created_at} />],
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
          ctx={ctx}
          workspaceId={workspace.id}
          members={members.data}
          manages={manages}
          tenantOwner={tenant.owner_id}
          owns={workspace.role === 'owner'}
        />
      </Card>
      <Pager url={ctx.url} next={members.next_cursor} />
      {invitations && <SentInvitations ctx={ctx} workspaceId={workspace.id} invitations={invitations.data} />}
      {manages && (
        <Invite
          ctx={ctx}
          workspace={workspace}
          projects={projects.filter(({ workspace_id }) => workspace_id === workspace.id)}
          error={errorOf('invite')}
        />
      )}
      {manages && <Rename ctx={ctx} name={workspace.name} error={errorOf('rename')} />}
      {workspace.role === 'owner' && (
        <ConfirmDelete
          ctx={ctx}
          action={`${pageOf(ctx)}/delete`}
          what="workspace"
          name={workspace.name}
          consequence="Its projects with all memories, its keys and its memberships end immediately. This cannot be undone."
          error={errorOf('delete')}
        />
      )}
    </DetailPage>,
    refused?.error.status ?? 200,
  )
}

const Rename: FC<{ ctx: PageContext; name: string; error: AppError | null }> = ({ ctx, name, error }) => (
  <Card title="Rename" id="rename">
    <div class="card-body">
      <PostForm ctx={ctx} action={pageOf(ctx)} class="form-inline" error={error}>
        <Field
          name="name"
          label="Name"
          required
          maxlength={120}
          value={error ? ctx.form.text('name') : name}
          error={errorAt(error, 'name')}
        />
        <button class="button" type="submit">
          Save
        </button>
      </PostForm>
    </div>
  </Card>
)
