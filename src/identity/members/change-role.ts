import { z } from '@hono/zod-openapi'
import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { sql, type Sql } from '../../core/database/sql.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { AppError } from '../../core/errors.ts'
import { ROLES, type Role, type workspace_members } from '../table.ts'
import { requireWholeWorkspace, visibleWorkspace } from '../workspaces/workspace.ts'
import {
  memberOf,
  MemberParams,
  MemberOrWritten,
  OWNERS,
  refusal,
  toMember,
  type Member,
  type MemberRow,
  SAMPLE_MEMBER,
} from './member.ts'
import { decide } from './rules.ts'
import type { RowOf } from '../../core/database/row.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'

interface AuthorizedChange {
  member: MemberRow
  /**
   * A condition over `workspace_members`. It holds at the commit while the roles are those of the decision.
   * The change itself makes it false, so the audit statement comes before the change.
   */
  guard: Sql
}

/** Reads the roles of caller and member, and applies the rules. Throws where they refuse the change. */
export async function authorizeChange(
  ctx: AuthContext,
  workspaceId: string,
  userId: string,
  next: Role | null,
): Promise<AuthorizedChange> {
  requireWholeWorkspace(ctx)
  ctx.trail.resourceIds = [userId]
  const { role: actor } = await visibleWorkspace(ctx, workspaceId)
  const member = await memberOf(ctx, workspaceId, userId)
  const owners = await ctx.db.first<{ n: number }>(`select ${OWNERS} as n`, { workspace: workspaceId })
  const self = userId === ctx.principal.userId
  const decision = decide({
    actor,
    self,
    current: member.role,
    next,
    service: member.kind === 'service',
    owners: owners?.n ?? 0,
  })
  if (decision !== 'allowed') throw refusal(decision)
  return {
    member,
    guard: sql(
      `workspace_id = :workspace and user_id = :member and role = :role
       and (role <> 'owner' or :next = 'owner' or ${OWNERS} > 1)
       and exists (select 1 from workspaces w where w.id = :workspace and w.deleted_at is null)
       and exists (select 1 from workspace_members a
         where a.workspace_id = :workspace and a.user_id = :actor and a.role = :actor_role)`,
      {
        workspace: workspaceId,
        member: userId,
        role: member.role,
        next: next ?? '',
        actor: ctx.principal.userId,
        actor_role: actor,
      },
    ),
  }
}

/** The condition of a guard for the audit row of its change. */
export const isMember = (guard: Sql): Sql =>
  sql(`exists (select 1 from workspace_members where ${guard.sql})`, guard.params)

/** 409: a role changed between the decision and the commit. */
export const lostRace = (): AppError =>
  new AppError('conflict', {
    detail: 'Another request changed the members at the same time. Check the members, then try again.',
  })

/** Gives a member another role, from the member's next request on. */
export async function changeRole(ctx: AuthContext, workspaceId: string, userId: string, role: Role): Promise<Member> {
  const { member, guard } = await authorizeChange(ctx, workspaceId, userId, role)
  const [, [row]] = await ctx.db.batch<[never, RowOf<typeof workspace_members, 'role'>]>([
    auditStatement(ctx, 'members.change_role', isMember(guard)),
    ctx.db.statement(`update workspace_members set role = :next where ${guard.sql} returning role`, guard.params),
  ])
  if (!row) throw lostRace()
  return toMember({ ...member, role: row.role })
}

export const changeRoleEndpoint = endpoint({
  method: 'patch',
  path: '/v1/workspaces/{id}/members/{user_id}',
  operationId: 'changeMemberRole',
  tag: 'members',
  summary: "Change a member's role",
  description: 'Owners and admins can change roles. Only owners can grant or remove the role of owner.',
  scope: 'admin:workspace',
  reads: 'read:projects',
  limit: 'write',
  audit: 'members.change_role',
  params: MemberParams,
  body: z.strictObject({ role: z.enum(ROLES) }),
  reply: { 200: MemberOrWritten },
  errors: ['not_found', 'forbidden', 'last_owner', 'conflict'],
  example: {
    params: { id: SAMPLE_IDS.workspace, user_id: SAMPLE_IDS.grace },
    body: { role: 'viewer' },
    reply: { ...SAMPLE_MEMBER, role: 'viewer' },
  },
}).handle(({ ctx, params, body }) => changeRole(ctx, params.id, params.user_id, body.role))
