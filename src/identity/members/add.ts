import { z } from '@hono/zod-openapi'
import { and, eq, isNull } from 'drizzle-orm'
import { auditStatement } from '../../audit/index.ts'
import { Email } from '../../auth/index.ts'
import { users } from '../../auth/table.ts'
import type { AuthContext } from '../../core/context.ts'
import { query } from '../../core/database/query.ts'
import { endpoint, Reply } from '../../core/http/endpoint.ts'
import { AppError } from '../../core/errors.ts'
import { IdParams } from '../../core/http/fields.ts'
import { forbidden, rolesSql } from '../access.ts'
import { invite } from '../invitations/invite.ts'
import { InvitationReply, replayInvitation } from '../invitations/invitation.ts'
import { ROLES, type Role } from '../table.ts'
import { requireWholeWorkspace, visibleWorkspace } from '../workspaces/workspace.ts'
import { MAX_MEMBERS, memberOf, MemberSchema, refusal, toMember, workspaceFull, type Member } from './member.ts'
import { decide } from './rules.ts'

export const AddMember = z.strictObject({ email: Email, role: z.enum(ROLES) })

const personWith = query((db, by: { tenant: string; email: string }) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.tenant_id, by.tenant),
        eq(users.email, by.email),
        eq(users.kind, 'person'),
        isNull(users.deleted_at),
      ),
    ),
)

type Added = { status: 201; member: Member } | { status: 202; invitation: z.infer<typeof InvitationReply> }

/**
 * Adds a user of the tenant to a workspace, or invites any other address (contract §4). An address with an account in
 * another tenant is invited too, so that the answer tells nothing about other tenants.
 */
export async function addMember(
  ctx: AuthContext,
  workspaceId: string,
  input: z.output<typeof AddMember>,
): Promise<Added> {
  requireWholeWorkspace(ctx)
  const { role } = await visibleWorkspace(ctx, workspaceId)
  const change = { actor: role, self: false, current: 'viewer', next: input.role, service: false, owners: 2 } as const
  const decision = decide(change)
  if (decision !== 'allowed') throw refusal(decision)
  const user = await ctx.db.first(personWith, { tenant: ctx.principal.tenantId, email: input.email })
  if (!user) return { status: 202, invitation: await invite(ctx, workspaceId, input) }
  await addUser(ctx, workspaceId, user.id, input.role)
  return { status: 201, member: toMember(await memberOf(ctx, workspaceId, user.id)) }
}

async function addUser(ctx: AuthContext, workspaceId: string, userId: string, role: Role): Promise<void> {
  const { db, principal } = ctx
  ctx.trail.resourceIds = [userId]
  const admits = `
    from workspaces w
    join workspace_members m on m.workspace_id = w.id and m.user_id = ? and m.role in (${rolesSql(role === 'owner' ? 'own' : 'manage')})
    where w.id = ? and w.tenant_id = ? and w.deleted_at is null
      and (select count(*) from workspace_members c where c.workspace_id = w.id) < ${MAX_MEMBERS}
      and not exists (select 1 from workspace_members d where d.workspace_id = w.id and d.user_id = ?)`
  const values = [principal.userId, workspaceId, principal.tenantId, userId]
  const [, [row], [count]] = await db.batch<[never, { user_id: string }, { members: number; mine: string | null }]>([
    auditStatement(ctx, 'members.add', `exists (select 1 ${admits})`, ...values),
    db.statement(
      `insert into workspace_members (workspace_id, user_id, tenant_id, role, created_at)
       select w.id, ?, w.tenant_id, ?, ? ${admits} returning user_id`,
      userId,
      role,
      ctx.now(),
      ...values,
    ),
    db.statement(
      `select count(*) as members, max(case when user_id = ? then role end) as mine
       from workspace_members where workspace_id = ?`,
      userId,
      workspaceId,
    ),
  ])
  if (row) return
  if (count?.mine)
    throw new AppError('conflict', { detail: `This user is in the workspace already, as ${count.mine}.` })
  if ((count?.members ?? 0) >= MAX_MEMBERS) throw workspaceFull()
  await visibleWorkspace(ctx, workspaceId)
  throw forbidden('Your role does not manage members.')
}

export const addMemberEndpoint = endpoint({
  method: 'post',
  path: '/v1/workspaces/{id}/members',
  tag: 'members',
  summary: 'Add a member, or invite one',
  description:
    'A user of your tenant joins at once (201). Any other address gets an invitation (202): hand its URL over yourself, as no mail is sent. It is shown once and good for 7 days.',
  scope: 'admin:workspace',
  limit: 'write',
  audit: 'members.add',
  params: IdParams,
  body: AddMember,
  reply: { 201: MemberSchema, 202: InvitationReply },
  errors: ['not_found', 'forbidden', 'conflict', 'quota_exceeded'],
  idempotent: {
    mode: 'claimed',
    resource: (answer: Member | z.infer<typeof InvitationReply>) =>
      'user_id' in answer ? answer.user_id : answer.invitation_id,
    replay: async (ctx, id) => {
      const workspaceId = ctx.idempotency?.path.split('/')[3] ?? ''
      await visibleWorkspace(ctx, workspaceId)
      return id.startsWith('inv_')
        ? replayInvitation(ctx, workspaceId, id)
        : toMember(await memberOf(ctx, workspaceId, id))
    },
  },
  example: { body: { email: 'grace@example.com', role: 'editor' } },
}).handle(async ({ ctx, params, body }) => {
  const added = await addMember(ctx, params.id, body)
  return added.status === 201 ? new Reply(201, added.member) : new Reply(202, added.invitation)
})
