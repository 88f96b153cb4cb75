import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { sql } from '../../core/database/sql.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { commitThenSend, WorkStatement } from '../../core/work.ts'
import { forbidden, memberOfProject, rolesSql } from '../access.ts'
import { BLANK_PROJECT, projectErasure } from '../erasure.ts'
import { changeableProject, visibleProject } from './project.ts'
import type { RowOf } from '../../core/database/row.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import type { projects } from '../table.ts'

/** Admins delete any project. An editor deletes the projects that the editor made. */
const DELETE = `
  update projects set deleted_at = :now, updated_at = :now, ${BLANK_PROJECT}
  where deleted_at is null and id = (
    select p.id from projects p ${memberOfProject(':caller')}
    where p.id = :id and p.tenant_id = :tenant
      and (m.role in (${rolesSql('manage')}) or (m.role in (${rolesSql('write')}) and p.created_by = :caller)))
  returning id`

/**
 * Deletes a project by one row: from that commit on nobody sees its items, and the purge queue erases them (architecture §4).
 * 404 for a project that the caller does not see, 403 for one that the caller sees but may not delete.
 */
export async function deleteProject(ctx: AuthContext, id: string): Promise<void> {
  const { principal, db } = ctx
  await changeableProject(ctx, id)
  const now = ctx.now()
  const [[row]] = await commitThenSend<[RowOf<typeof projects, 'id'>, never]>(ctx, db, [
    new WorkStatement(
      db.statement(DELETE, { id, tenant: principal.tenantId, now, caller: principal.userId }),
      projectErasure(db),
    ),
    auditStatement(
      ctx,
      'projects.delete',
      sql('exists (select 1 from projects where id = :id and deleted_at = :now)', { id, now }),
    ),
  ])
  if (!row) {
    await visibleProject(ctx, id)
    throw forbidden('Your role in this workspace cannot delete this project.')
  }
}

export const deleteProjectEndpoint = endpoint({
  method: 'delete',
  path: '/api/projects/{id}',
  operationId: 'deleteProject',
  tag: 'projects',
  summary: 'Delete a project',
  description: 'Its items are inaccessible as soon as this returns, and are then erased with their vectors.',
  scope: 'write:projects',
  limit: 'write',
  audit: 'projects.delete',
  params: IdParams,
  reply: { 204: null },
  errors: ['not_found', 'forbidden'],
  example: { params: { id: SAMPLE_IDS.project } },
}).handle(({ ctx, params }) => deleteProject(ctx, params.id))
