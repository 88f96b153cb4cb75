import { auditStatement } from '../../audit/index.ts'
import { commitThenDeny } from '../../auth/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { sql } from '../../core/database/sql.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { forbidden, ROLES_THAT } from '../access.ts'
import { closeWorkspaces, type ClosedRow } from './close.ts'
import { requireWholeWorkspace, visibleWorkspace } from './workspace.ts'

/**
 * Deletes a workspace with its projects and its keys; the purge queue then erases the projects' items (architecture §4).
 * 404 for one that the caller does not see, 403 for all but its owners.
 */
export async function deleteWorkspace(ctx: AuthContext, id: string): Promise<void> {
  const { db } = ctx
  ctx.trail.resourceIds = [id]
  const workspace = await visibleWorkspace(ctx, id)
  requireWholeWorkspace(ctx)
  if (!ROLES_THAT.own.includes(workspace.role)) throw forbidden('Only an owner can delete a workspace.')
  const now = ctx.now()
  const [closed] = await commitThenDeny<ClosedRow[]>(ctx, db, [
    ...closeWorkspaces(ctx, [id], now),
    auditStatement(
      ctx,
      'workspaces.delete',
      sql('exists (select 1 from workspaces where id = :id and deleted_at = :now)', { id, now }),
    ),
  ])
  if (closed?.length === 0) {
    await visibleWorkspace(ctx, id)
    throw forbidden('Only an owner can delete a workspace.')
  }
}

export const deleteWorkspaceEndpoint = endpoint({
  method: 'delete',
  path: '/v1/workspaces/{id}',
  operationId: 'deleteWorkspace',
  tag: 'workspaces',
  summary: 'Delete a workspace',
  description: 'Deletes its projects, their items, and the keys of the workspace too.',
  scope: 'write:projects',
  limit: 'write',
  audit: 'workspaces.delete',
  params: IdParams,
  reply: { 204: null },
  errors: ['not_found', 'forbidden'],
  example: { params: { id: SAMPLE_IDS.workspace } },
}).handle(({ ctx, params }) => deleteWorkspace(ctx, params.id))
