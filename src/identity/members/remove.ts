import { auditStatement } from '../../audit/index.ts'
import type { Ctx } from '../../core/context.ts'
import { endpoint } from '../../core/endpoint.ts'
import { endServiceKeys } from '../workspaces/close.ts'
import { judgeChange, lostRace } from './change-role.ts'
import { MemberParams } from './member.ts'

/**
 * Takes a member out, or lets the caller leave; it counts from the member's next request on. With a workspace's
 * service account its keys end.
 */
export async function removeMember(ctx: Ctx, workspaceId: string, userId: string): Promise<void> {
  const { member, guard, values } = await judgeChange(ctx, workspaceId, userId, null)
  const gone = 'not exists (select 1 from workspace_members where workspace_id = ? and user_id = ?)'
  const [[row]] = await ctx.db.batch<[{ user_id: string }, never, never]>([
    ctx.db.statement(
      `delete from workspace_members where workspace_id = ? and user_id = ? and ${guard} returning user_id`,
      workspaceId,
      userId,
      ...values,
    ),
    auditStatement(ctx, 'members.remove', gone, workspaceId, userId),
    ctx.db.statement(
      `update api_keys set revoked_at = ?1 where workspace_id = ?2 and user_id = ?3
         and (revoked_at is null or revoked_at > ?1)
         and not exists (select 1 from workspace_members where workspace_id = ?2 and user_id = ?3)`,
      ctx.now(),
      workspaceId,
      userId,
    ),
  ])
  if (!row) {
    ctx.trail.committed = false
    throw lostRace()
  }
  // After the commit, which took all rights: no denial is ever lifted, and the guard might have refused.
  if (member.kind === 'service') await endServiceKeys(ctx, [workspaceId])
}

export const removeMemberEndpoint = endpoint({
  method: 'delete',
  path: '/v1/workspaces/{id}/members/{user_id}',
  tag: 'members',
  summary: 'Remove a member, or leave',
  scope: 'admin:workspace',
  limit: 'write',
  audit: 'members.remove',
  params: MemberParams,
  reply: { 204: null },
  errors: ['not_found', 'forbidden', 'last_owner', 'conflict'],
}).handle(({ ctx, params }) => removeMember(ctx, params.id, params.user_id))
