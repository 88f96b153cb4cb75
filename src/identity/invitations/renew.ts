import { z } from '@hono/zod-openapi'
import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { sql } from '../../core/database/sql.ts'
import { notFound } from '../../core/errors.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { anyId } from '../../core/http/fields.ts'
import { settleStatement } from '../../core/idempotency/settlement.ts'
import { iso } from '../../core/values/clock.ts'
import { forbidden, rolesSql } from '../access.ts'
import type { RowOf } from '../../core/database/row.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import type { invitations } from '../table.ts'
import {
  INVITATION_LIFE_MS,
  InvitationReply,
  IS_OPEN,
  replayInvitation,
  type InvitationWithLink,
  SAMPLE_INVITATION,
} from './invitation.ts'
import { requireManaged } from './list.ts'

/**
 * Gives an open invitation a new link and seven more days, with the caller as its maker; the old link ends. Nobody is told,
 * so a renewal bothers nobody. 404 for one that has ended, 403 for one that the caller could not make.
 */
export async function renewInvitation(ctx: AuthContext, workspaceId: string, id: string): Promise<InvitationWithLink> {
  await requireManaged(ctx, workspaceId)
  ctx.trail.resourceIds = [id]
  ctx.trail.workspaceId = workspaceId
  const { db, principal } = ctx
  const { token, hash } = await ctx.tokens.mint('rci', principal.routingId, ctx.random)
  const now = ctx.now()
  const expiresAt = now + INVITATION_LIFE_MS
  const open = sql(`i.id = :id and i.workspace_id = :workspace and i.tenant_id = :tenant and ${IS_OPEN}`, {
    id,
    workspace: workspaceId,
    tenant: principal.tenantId,
    now,
  })
  const renewed = sql('exists (select 1 from invitations where token_hash = :hash)', { hash })
  const [[row], , , [left]] = await db.batch<[RowOf<typeof invitations, 'id'>, never, never, unknown]>([
    db.statement(
      `update invitations as i set token_hash = :hash, expires_at = :expires_at, created_by = :caller
       where ${open.sql} and exists (
         select 1 from workspace_members c where c.workspace_id = i.workspace_id and c.user_id = :caller
           and (c.role in (${rolesSql('own')}) or (c.role in (${rolesSql('manage')}) and i.role <> 'owner')))
       returning id`,
      { ...open.params, hash, expires_at: expiresAt, caller: principal.userId },
    ),
    auditStatement(ctx, 'invitations.renew', renewed),
    settleStatement(ctx, id, renewed),
    db.statement(`select 1 from invitations i where ${open.sql}`, open.params),
  ])
  if (!row) {
    if (!left) throw notFound('invitation')
    throw forbidden('Only an owner can invite owners.')
  }
  const url = `${ctx.client.origin}/portal/sign-up?invitation=${token}`
  return { invitation_id: id, invitation_url: url, expires_at: iso(expiresAt) }
}

export const renewInvitationEndpoint = endpoint({
  method: 'post',
  path: '/v1/workspaces/{id}/invitations/{invitation_id}/renew',
  operationId: 'renewInvitation',
  tag: 'members',
  summary: 'Renew an invitation',
  description: 'Returns a new link, which is shown once and valid for 7 days. The old link stops working.',
  scope: 'admin:workspace',
  limit: 'write',
  audit: 'invitations.renew',
  params: z.strictObject({ id: anyId, invitation_id: anyId }),
  reply: { 200: InvitationReply },
  errors: ['not_found', 'forbidden'],
  idempotent: {
    mode: 'claimed',
    replay: async (ctx, id) => {
      const workspaceId = ctx.idempotency?.path.split('/')[3] ?? ''
      await requireManaged(ctx, workspaceId)
      return replayInvitation(ctx, workspaceId, id)
    },
  },
  example: { params: { id: SAMPLE_IDS.workspace, invitation_id: SAMPLE_IDS.invitation }, reply: SAMPLE_INVITATION },
}).handle(({ ctx, params }) => renewInvitation(ctx, params.id, params.invitation_id))
