import { auditStatement } from '../../audit/index.ts'
import { commitThenDeny } from '../../auth/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { sql } from '../../core/database/sql.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { endWorkspaceKeys } from '../api-keys/end-workspace-keys.ts'
import { authorizeChange, isMember, lostRace } from './change-role.ts'
import { MemberParams } from './member.ts'
import type { RowOf } from '../../core/database/row.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import type { workspace_members } from '../table.ts'

/**
 * Removes a member, or lets the caller leave, from the member's next request on. The keys of a workspace end with its
 * service account.
 */
export async function removeMember(ctx: AuthContext, workspaceId: string, userId: string): Promise<void> {
  const { guard } = await authorizeChange(ctx, workspaceId, userId, null)
  const [, [row]] = await commitThenDeny<[never, RowOf<typeof workspace_members, 'user_id'>]>(ctx, ctx.db, [
    auditStatement(ctx, 'members.remove', isMember(guard)),
    ctx.db.statement(`delete from workspace_members where ${guard.sql} returning user_id`, guard.params),
    ...endWorkspaceKeys(
      ctx,
      sql(
        `workspace_id = :workspace and user_id = :member
         and not exists (select 1 from workspace_members where workspace_id = :workspace and user_id = :member)`,
        { workspace: workspaceId, member: userId },
      ),
    ),
  ])
  if (!row) throw lostRace()
}

export const removeMemberEndpoint = endpoint({
  method: 'delete',
  path: '/v1/workspaces/{id}/members/{user_id}',
  operationId: 'removeMember',
  tag: 'members',
  summary: 'Remove a member, or leave',
  scope: 'admin:workspace',
  limit: 'write',
  audit: 'members.remove',
  params: MemberParams,
  reply: { 204: null },
  errors: ['not_found', 'forbidden', 'last_owner', 'conflict'],
  example: { params: { id: SAMPLE_IDS.workspace, user_id: SAMPLE_IDS.grace } },
}).handle(({ ctx, params }) => removeMember(ctx, params.id, params.user_id))
