import type { Child, FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { Page } from '../../core/http/cursor.ts'
import type { Invitation, InvitationWithLink, ReceivedInvitation, Workspace } from '../../identity/index.ts'
import { Badge, Card, Time } from '../components/elements.tsx'
import { Ask } from '../components/ask.tsx'
import { ActionButton } from '../components/forms.tsx'
import { Table } from '../components/table.tsx'
import { attempt } from '../form.ts'
import type { PageContext } from '../page-context.ts'
import { redirectWithFlash } from '../respond.tsx'
import { formAction } from '../route.ts'
import { ROLE_LABELS } from './roles.ts'

const LIST = '/portal/workspaces'
const ENDED = { tone: 'warn', text: 'This invitation has ended.' } as const

export const invitationRoutes = [
  formAction('/portal/invitations/:id/accept', async (ctx) => {
    const accepted = await attempt(ctx.api.post<Workspace>(`/v1/invitations/${ctx.params['id']}/accept`), [404])
    if (accepted.ok)
      return redirectWithFlash(ctx, `${LIST}/${accepted.value.id}`, { tone: 'ok', text: 'You are now a member.' })
    const { status, detail } = accepted.error
    return redirectWithFlash(ctx, LIST, status === 404 ? ENDED : { tone: 'warn', text: detail })
  }),

  formAction('/portal/invitations/:id/refuse', async (ctx) => {
    const refused = await attempt(ctx.api.post(`/v1/invitations/${ctx.params['id']}/refuse`), [404])
    return redirectWithFlash(ctx, LIST, refused.ok ? { tone: 'ok', text: 'The invitation was refused.' } : ENDED)
  }),

  formAction('/portal/workspaces/:id/invitations/:invitation_id/renew', async (ctx) => {
    const page = `${LIST}/${ctx.params['id']}`
    const path = `/v1/workspaces/${ctx.params['id']}/invitations/${ctx.params['invitation_id']}/renew`
    const renewed = await attempt(ctx.api.post<InvitationWithLink>(path), [404])
    if (!renewed.ok) {
      const { status, detail } = renewed.error
      return redirectWithFlash(ctx, page, status === 404 ? ENDED : { tone: 'warn', text: detail })
    }
    const link = renewed.value.invitation_url
    return redirectWithFlash(ctx, page, {
      tone: 'ok',
      text: 'The invitation has a new link, and the old one has ended.',
      ...(link === null ? {} : { secret: { of: ctx.params['id'] ?? '', value: link } }),
    })
  }),

  formAction('/portal/workspaces/:id/invitations/:invitation_id/withdraw', async (ctx) => {
    const page = `${LIST}/${ctx.params['id']}`
    const path = `/v1/workspaces/${ctx.params['id']}/invitations/${ctx.params['invitation_id']}`
    const withdrawn = await attempt(ctx.api.delete(path), [404])
    return redirectWithFlash(ctx, page, withdrawn.ok ? { tone: 'ok', text: 'The invitation was withdrawn.' } : ENDED)
  }),
]

/** The newest 100 open invitations of the signed-in person. */
export const listReceived = async (ctx: PageContext): Promise<ReceivedInvitation[]> =>
  (await ctx.api.get<Page<ReceivedInvitation>>('/v1/invitations', { limit: 100 })).data

/** The cells of a row for the role and the end of an invitation, and for its buttons (`children`). */
const OfferCells: FC<{ invitation: Pick<Invitation, 'role' | 'expires_at'>; children?: Child }> = ({
  invitation,
  children,
}) => (
  <>
    <td data-label="Role">
      <Badge plain>{ROLE_LABELS[invitation.role].label}</Badge>
    </td>
    <td data-label="Until">
      <Time at={invitation.expires_at} />
    </td>
    <td class="end">
      <span class="row">{children}</span>
    </td>
  </>
)

/** What the signed-in person may accept or refuse; nothing where there is none. */
export const ReceivedInvitations: FC<{ ctx: PageContext; invitations: readonly ReceivedInvitation[] }> = (props) =>
  props.invitations.length === 0 ? null : (
    <Card
      title="You are invited"
      lead="You join a workspace when you accept. Its members can then see your name and e-mail address."
    >
      <Table columns={['Workspace', 'Invited by', 'Role', 'Until']} actions>
        {props.invitations.map((one) => (
          <tr>
            <td class="lead" data-label="Workspace">
              <span class="table-title">
                <Visible text={one.workspace_name} />
              </span>
            </td>
            <td data-label="Invited by">
              <Visible text={one.invited_by_name} />
            </td>
            <OfferCells invitation={one}>
              <ActionButton ctx={props.ctx} action={`/portal/invitations/${one.id}/accept`} tone="primary" small>
                Accept<span class="sr-only"> the invitation to {one.workspace_name}</span>
              </ActionButton>
              <Ask
                ctx={props.ctx}
                action={`/portal/invitations/${one.id}/refuse`}
                verb="Refuse"
                about={
                  <>
                    the invitation to <Visible text={one.workspace_name} />
                  </>
                }
                small
                routine
              >
                <p>The invitation ends, and the person who created it is notified. You can be invited again.</p>
              </Ask>
            </OfferCells>
          </tr>
        ))}
      </Table>
    </Card>
  )

/** The open invitations of a workspace; nothing where there is none. */
export const SentInvitations: FC<{
  ctx: PageContext
  workspaceId: string
  invitations: readonly Invitation[]
}> = ({ ctx, workspaceId, invitations }) =>
  invitations.length === 0 ? null : (
    <Card
      title="Open invitations"
      lead="They become members when they accept. A link is shown once: a new link ends the old one."
    >
      <Table columns={['E-mail address', 'Role', 'Until']} actions>
        {invitations.map((one) => (
          <tr>
            <td class="lead" data-label="E-mail address">
              <Visible text={one.email} />
            </td>
            <OfferCells invitation={one}>
              <Ask
                ctx={ctx}
                action={`${LIST}/${workspaceId}/invitations/${one.id}/renew`}
                verb="New link"
                about={
                  <>
                    for <Visible text={one.email} />
                  </>
                }
                small
                routine
              >
                <p>The old link stops working immediately. The new link is shown once, on the next page.</p>
              </Ask>
              <Ask
                ctx={ctx}
                action={`${LIST}/${workspaceId}/invitations/${one.id}/withdraw`}
                verb="Withdraw"
                about={
                  <>
                    the invitation of <Visible text={one.email} />
                  </>
                }
                small
                routine
              >
                <p>Its link stops working, and it disappears from their page. You can invite them again.</p>
              </Ask>
            </OfferCells>
          </tr>
        ))}
      </Table>
    </Card>
  )
