import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { sql } from '../../core/database/sql.ts'
import type { RowOf } from '../../core/database/row.ts'
import { endpoint, linksTo } from '../../core/http/endpoint.ts'
import { settleStatement } from '../../core/idempotency/settlement.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { IdParams } from '../../core/http/fields.ts'
import { commitThenSend } from '../../core/work.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { invitedToFull, MAX_MEMBERS } from '../members/member.ts'
import type { Role, workspace_members } from '../table.ts'
import {
  toWorkspace,
  visibleWorkspace,
  WorkspaceSchema,
  type Workspace,
  SAMPLE_WORKSPACE,
} from '../workspaces/workspace.ts'
import { answerNotice, RECEIVED, receivedInvitation } from './received.ts'

/** Makes the caller a member by an invitation of the caller's address. It ends with the commit. */
export async function acceptInvitation(ctx: AuthContext, id: string): Promise<Workspace> {
  const { db, principal } = ctx
  const invitation = await receivedInvitation(ctx, id)
  const now = ctx.now()
  const values = { caller: principal.userId, now, id }
  const admits = `
    from ${RECEIVED} and i.id = :id
      and (select count(*) from workspace_members c where c.workspace_id = i.workspace_id) < ${MAX_MEMBERS}
      and not exists (select 1 from workspace_members d where d.workspace_id = i.workspace_id and d.user_id = u.id)`
  const admitted = sql(`exists (select 1 ${admits})`, values)
  const [, , , [row], , [standing]] = await commitThenSend<
    [never, never, never, RowOf<typeof workspace_members, 'role'>, never, { members: number; mine: Role | null }]
  >(ctx, db, [
    auditStatement(ctx, 'invitations.accept', admitted),
    settleStatement(ctx, invitation.workspace_id, admitted),
    answerNotice(ctx, db, invitation, ['accepted', principal.userId], admitted),
    db.statement(
      `insert into workspace_members (workspace_id, user_id, tenant_id, role, created_at)
       select i.workspace_id, u.id, i.tenant_id, i.role, :now ${admits} returning role`,
      values,
    ),
    db.statement(
      `delete from invitations where id = :id and exists (
         select 1 from workspace_members m where m.workspace_id = invitations.workspace_id and m.user_id = :caller)`,
      { id, caller: principal.userId },
    ),
    db.statement(
      `select count(*) as members, max(case when user_id = :caller then role end) as mine
       from workspace_members where workspace_id = :workspace`,
      { caller: principal.userId, workspace: invitation.workspace_id },
    ),
  ])
  if (!row) {
    if (standing?.mine)
      throw new AppError('conflict', { detail: `You are already in this workspace, as ${standing.mine}.` })
    throw (standing?.members ?? 0) >= MAX_MEMBERS ? invitedToFull() : notFound('invitation')
  }
  return toWorkspace(await visibleWorkspace(ctx, invitation.workspace_id))
}

export const acceptInvitationEndpoint = endpoint({
  method: 'post',
  path: '/v1/invitations/{id}/accept',
  operationId: 'acceptInvitation',
  tag: 'members',
  summary: 'Accept an invitation',
  description: 'Makes you a member and returns the workspace.',
  auth: 'session',
  scope: null,
  limit: 'write',
  audit: 'invitations.accept',
  params: IdParams,
  reply: { 200: WorkspaceSchema },
  links: [
    ...linksTo(['getWorkspace', 'listMembers']),
    ...linksTo(['listProjects'], { workspace_id: '$response.body#/id' }),
  ],
  errors: ['not_found', 'conflict', 'quota_exceeded'],
  idempotent: {
    mode: 'claimed',
    replay: async (ctx, id) => toWorkspace(await visibleWorkspace(ctx, id)),
  },
  example: { params: { id: SAMPLE_IDS.invitation }, reply: { ...SAMPLE_WORKSPACE, role: 'editor' } },
}).handle(({ ctx, params }) => acceptInvitation(ctx, params.id))
