import { z } from '@hono/zod-openapi'
import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { sql } from '../../core/database/sql.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { notFound } from '../../core/errors.ts'
import { anyId } from '../../core/http/fields.ts'
import { requireManaged } from './list.ts'
import type { RowOf } from '../../core/database/row.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import type { invitations } from '../table.ts'

/** Ends an open invitation. 404 for one that was accepted or withdrawn, or has expired. */
export async function withdrawInvitation(ctx: AuthContext, workspaceId: string, id: string): Promise<void> {
  await requireManaged(ctx, workspaceId)
  ctx.trail.resourceIds = [id]
  const open = sql(
    `from invitations where id = :id and workspace_id = :workspace and tenant_id = :tenant and expires_at > :now`,
    { id, workspace: workspaceId, tenant: ctx.principal.tenantId, now: ctx.now() },
  )
  const [, [row]] = await ctx.db.batch<[never, RowOf<typeof invitations, 'id'>]>([
    auditStatement(ctx, 'invitations.withdraw', sql(`exists (select 1 ${open.sql})`, open.params)),
    ctx.db.statement(`delete ${open.sql} returning id`, open.params),
  ])
  if (!row) throw notFound('invitation', id)
}

export const withdrawInvitationEndpoint = endpoint({
  method: 'delete',
  path: '/v1/workspaces/{id}/invitations/{invitation_id}',
  operationId: 'withdrawInvitation',
  tag: 'members',
  summary: 'Withdraw an invitation',
  scope: 'admin:workspace',
  limit: 'write',
  audit: 'invitations.withdraw',
  params: z.strictObject({ id: anyId, invitation_id: anyId }),
  reply: { 204: null },
  errors: ['not_found', 'forbidden'],
  example: { params: { id: SAMPLE_IDS.workspace, invitation_id: SAMPLE_IDS.invitation } },
}).handle(({ ctx, params }) => withdrawInvitation(ctx, params.id, params.invitation_id))
