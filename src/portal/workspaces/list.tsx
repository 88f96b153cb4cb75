import { Visible } from '../../auth/index.ts'
import { redirectWithFlash, renderPage } from '../respond.tsx'
import { attempt, errorAt } from '../form.ts'
import type { AppError } from '../../core/errors.ts'
import type { Workspace } from '../../identity/index.ts'
import { Pager } from '../components/pager.tsx'
import { Id } from '../components/id.tsx'
import { Badge, Card, Time } from '../components/elements.tsx'
import { Field, PostForm } from '../components/fields.tsx'
import { Shell } from '../components/shell.tsx'
import { Table } from '../components/table.tsx'
import type { PageContext } from '../page-context.ts'
import { formAction, page } from '../route.ts'
import type { Page } from '../../core/http/cursor.ts'
import { listReceived, ReceivedInvitations } from './invitations.tsx'
import { ROLE_LABELS } from './roles.ts'

export const workspaceListRoutes = [
  page('/portal/workspaces', (ctx) => workspaceList(ctx, null)),

  formAction('/portal/workspaces', async (ctx) => {
    const body = { name: ctx.form.text('name') }
    const made = await attempt(ctx.api.post<Workspace>('/v1/workspaces', body, ctx.form.text('once')))
    if (!made.ok) return workspaceList(ctx, made.error)
    return redirectWithFlash(ctx, `/portal/workspaces/${made.value.id}`, {
      tone: 'ok',
      text: 'The workspace is ready.',
    })
  }),
]

async function workspaceList(ctx: PageContext, error: AppError | null): Promise<Response> {
  const cursor = ctx.url.searchParams.get('cursor') ?? ''
  const [workspaces, invitations] = await Promise.all([
    ctx.api.get<Page<Workspace>>('/v1/workspaces', { cursor }),
    listReceived(ctx),
  ])
  return renderPage(
    ctx,
    <Shell
      ctx={ctx}
      title="Workspaces"
      current="/portal/workspaces"
      lead="People who work together. The role of a member decides what they can do in all projects of the workspace."
    >
      <ReceivedInvitations ctx={ctx} invitations={invitations} />
      <Card>
        <Table columns={['Name', 'Id', 'Your role', 'Created']}>
          {workspaces.data.map((workspace) => (
            <tr>
              <td class="lead" data-label="Name">
                <a class="table-title" href={`/portal/workspaces/${workspace.id}`}>
                  <Visible text={workspace.name} />
                </a>
              </td>
              <td data-label="Id">
                <Id of={workspace.id} />
              </td>
              <td data-label="Your role">
                <Badge plain>{ROLE_LABELS[workspace.role].label}</Badge>
              </td>
              <td data-label="Created">
                <Time at={workspace.created_at} />
              </td>
            </tr>
          ))}
        </Table>
      </Card>
      <Pager url={ctx.url} next={workspaces.next_cursor} />
      <Card title="Create a workspace">
        <div class="card-body">
          <PostForm ctx={ctx} action="/portal/workspaces" class="form-inline" creates error={error}>
            <Field
              name="name"
              label="Name"
              required
              maxlength={120}
              placeholder="Support team"
              value={ctx.form.text('name')}
              error={errorAt(error, 'name')}
            />
            <button class="button button-primary" type="submit">
              Create workspace
            </button>
          </PostForm>
        </div>
      </Card>
    </Shell>,
    error?.status ?? 200,
  )
}
