import type { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { selectList } from '../../core/database/columns.ts'
import { newestFirst, PageQuery, pageOf, type Page } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS, SAMPLE_TIME, samplePage } from '../../core/sample.ts'
import { forbidden, ROLES_THAT } from '../access.ts'
import { requireWholeWorkspace, visibleWorkspace } from '../workspaces/workspace.ts'
import { INVITATION_COLUMNS, InvitationSchema, IS_OPEN, toInvitation, SAMPLE_INVITATION } from './invitation.ts'
import type { Invitation, InvitationRow } from './invitation.ts'

/** The open invitations of a workspace, newest first, never with a URL. */
export async function listInvitations(
  ctx: AuthContext,
  workspaceId: string,
  input: z.output<typeof PageQuery>,
): Promise<Page<Invitation>> {
  await requireManaged(ctx, workspaceId)
  const [before, beforeId] = newestFirst.after(input)
  const rows = await ctx.db.all<InvitationRow>(
    `select ${selectList(INVITATION_COLUMNS, 'i')} from invitations i
     where i.workspace_id = :workspace and i.tenant_id = :tenant and ${IS_OPEN}
       and (i.created_at, i.id) < (:before, :before_id)
     order by i.created_at desc, i.id desc limit :limit`,
    {
      workspace: workspaceId,
      tenant: ctx.principal.tenantId,
      now: ctx.now(),
      before,
      before_id: beforeId,
      limit: input.limit + 1,
    },
  )
  return newestFirst.page(rows, input, toInvitation)
}

/** 404 for a workspace that the caller does not see, 403 for one that the caller does not manage. */
export async function requireManaged(ctx: AuthContext, workspaceId: string): Promise<void> {
  requireWholeWorkspace(ctx)
  const { role } = await visibleWorkspace(ctx, workspaceId)
  if (!ROLES_THAT.manage.includes(role)) throw forbidden('Your role cannot manage members.')
}

export const listInvitationsEndpoint = endpoint({
  method: 'get',
  path: '/v1/workspaces/{id}/invitations',
  operationId: 'listInvitations',
  tag: 'members',
  summary: 'List open invitations',
  scope: 'admin:workspace',
  limit: 'read',
  audit: 'invitations.list',
  params: IdParams,
  query: PageQuery,
  reply: { 200: pageOf(InvitationSchema) },
  errors: ['not_found', 'forbidden'],
  example: {
    params: { id: SAMPLE_IDS.workspace },
    reply: samplePage({
      id: SAMPLE_IDS.invitation,
      email: 'grace@example.com',
      role: 'editor',
      created_by: SAMPLE_IDS.ada,
      created_at: SAMPLE_TIME,
      expires_at: SAMPLE_INVITATION.expires_at,
    }),
  },
}).handle(({ ctx, params, query }) => listInvitations(ctx, params.id, query))
