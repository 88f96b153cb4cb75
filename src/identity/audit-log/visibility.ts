import type { AuditVisibility } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { rolesSql } from '../access.ts'
import type { RowOf } from '../../core/database/row.ts'
import type { workspaces, projects } from '../table.ts'

/**
 * The audit rows that the caller may see (contract §3): the caller's own, and all of the workspaces that the caller
 * manages. A key that is limited to projects sees its own rows, and those of the managed projects that it may use in all
 * namespaces.
 */
export async function auditVisibility(ctx: AuthContext): Promise<AuditVisibility> {
  const { principal, db } = ctx
  const own = { tenantId: principal.tenantId, credentialId: principal.credential.id }
  const caller = { caller: principal.userId }
  const managed = `
    from workspace_members m join workspaces w on w.id = m.workspace_id and w.tenant_id = m.tenant_id
    where m.user_id = :caller and m.role in (${rolesSql('manage')})`
  const [inWorkspaces, inProjects] = await db.batch<[RowOf<typeof workspaces, 'id'>, RowOf<typeof projects, 'id'>]>([
    db.statement(`select w.id ${managed}`, caller),
    db.statement(`select p.id from projects p where p.workspace_id in (select w.id ${managed})`, caller),
  ])
  const projectIds = inProjects.map((row) => row.id)
  if (principal.permissions === null)
    return { ...own, actor: principal.userId, workspaceIds: inWorkspaces.map((row) => row.id), projectIds }
  const whole = new Set(principal.permissions.filter((one) => !one.namespaces).map((one) => one.project_id))
  return { ...own, actor: null, workspaceIds: [], projectIds: projectIds.filter((id) => whole.has(id)) }
}
