import { z } from '@hono/zod-openapi'
import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { sql } from '../../core/database/sql.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { forbidden, rolesSql } from '../access.ts'
import {
  requireWholeWorkspace,
  toWorkspace,
  visibleWorkspace,
  workspaceName,
  WorkspaceOrWritten,
  SAMPLE_WORKSPACE,
} from './workspace.ts'
import type { Workspace } from './workspace.ts'
import type { RowOf } from '../../core/database/row.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import type { workspaces } from '../table.ts'

export const UpdateWorkspace = z.strictObject({ name: workspaceName.optional() })

/** Renames a workspace. 404 for one that the caller does not see, 403 for a member who is no admin. */
export async function updateWorkspace(
  ctx: AuthContext,
  id: string,
  input: z.output<typeof UpdateWorkspace>,
): Promise<Workspace> {
  const { principal, db } = ctx
  ctx.trail.resourceIds = [id]
  const workspace = await visibleWorkspace(ctx, id)
  requireWholeWorkspace(ctx)
  const now = ctx.now()
  const [[row]] = await db.batch<[RowOf<typeof workspaces, 'name' | 'updated_at'>, never]>([
    db.statement(
      `update workspaces set name = coalesce(:name, name), updated_at = :now
       where id = :id and tenant_id = :tenant and deleted_at is null and exists (
         select 1 from workspace_members
         where workspace_id = :id and user_id = :caller and role in (${rolesSql('manage')}))
       returning name, updated_at`,
      { id, tenant: principal.tenantId, name: input.name ?? null, now, caller: principal.userId },
    ),
    auditStatement(
      ctx,
      'workspaces.update',
      sql('exists (select 1 from workspaces where id = :id and updated_at = :now)', { id, now }),
    ),
  ])
  if (row) return toWorkspace({ ...workspace, ...row })
  await visibleWorkspace(ctx, id)
  throw forbidden('Your role cannot change this workspace.')
}

export const updateWorkspaceEndpoint = endpoint({
  method: 'patch',
  path: '/v1/workspaces/{id}',
  operationId: 'updateWorkspace',
  tag: 'workspaces',
  summary: 'Rename a workspace',
  scope: 'write:projects',
  reads: 'read:projects',
  limit: 'write',
  audit: 'workspaces.update',
  params: IdParams,
  body: UpdateWorkspace,
  reply: { 200: WorkspaceOrWritten },
  errors: ['not_found', 'forbidden'],
  example: {
    params: { id: SAMPLE_IDS.workspace },
    body: { name: 'Research, EMEA' },
    reply: { ...SAMPLE_WORKSPACE, name: 'Research, EMEA' },
  },
}).handle(({ ctx, params, body }) => updateWorkspace(ctx, params.id, body))
