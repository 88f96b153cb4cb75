import type { z } from '@hono/zod-openapi'
import { auditStatement } from '../../audit/index.ts'
import { iso } from '../../core/values/clock.ts'
import type { AuthContext } from '../../core/context.ts'
import { forbidden, rolesSql } from '../access.ts'
import type { Role } from '../table.ts'
import { visibleWorkspace } from '../workspaces/workspace.ts'
import { INVITATION_LIFE_MS, type InvitationReply } from './invitation.ts'

/** Invites an address to a workspace, in place of an older invitation of the same address. */
export async function invite(
  ctx: AuthContext,
  workspaceId: string,
  { email, role }: { email: string; role: Role },
): Promise<z.infer<typeof InvitationReply>> {
  const { db, principal } = ctx
  const id = ctx.newId('inv')
  const { token, hash } = await ctx.tokens.mint('rci', principal.routingId, ctx.random)
  const now = ctx.now()
  const expiresAt = now + INVITATION_LIFE_MS
  ctx.trail.resourceIds = [id]
  const [[row]] = await db.batch<[{ id: string }, never, never]>([
    db.statement(
      `insert into invitations (id, tenant_id, workspace_id, email, role, token_hash, created_by, created_at, expires_at)
       select ?1, w.tenant_id, w.id, ?3, ?4, ?5, ?6, ?7, ?8 from workspaces w
       join workspace_members m on m.workspace_id = w.id and m.user_id = ?6 and m.role in (${rolesSql('manage')})
       where w.id = ?2 and w.tenant_id = ?9 and w.deleted_at is null returning id`,
      id,
      workspaceId,
      email,
      role,
      hash,
      principal.userId,
      now,
      expiresAt,
      principal.tenantId,
    ),
    db.statement(
      `delete from invitations where workspace_id = ?1 and email = ?2 and id <> ?3
         and exists (select 1 from invitations where id = ?3)`,
      workspaceId,
      email,
      id,
    ),
    auditStatement(ctx, 'invitations.create', 'exists (select 1 from invitations where id = ?)', id),
  ])
  if (!row) {
    await visibleWorkspace(ctx, workspaceId)
    throw forbidden('Your role does not manage members.')
  }
  const url = `${ctx.client.origin}/portal/sign-up?invitation=${token}`
  return { invitation_id: id, invitation_url: url, expires_at: iso(expiresAt) }
}
