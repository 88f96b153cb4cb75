import type { AuthContext } from '../../core/context.ts'
import { memberOfProject, permits } from '../../identity/index.ts'
import type { Role, workspace_members } from '../../identity/table.ts'
import type { Target } from '../access.ts'
import type { RowOf } from '../../core/database/row.ts'
import { requireWriteIn } from './plan/place.ts'

const ROLE = `select m.role from projects p ${memberOfProject(':caller')}
  where p.id = :project and p.tenant_id = :tenant and p.deleted_at is null`

/**
 * For calls on a whole project, before any work: the caller's role in it. Refuses a project that is hidden (404, 422) or
 * only readable (403).
 */
export async function requireWritableProject(ctx: AuthContext, target: Target): Promise<Role> {
  const { principal, db } = ctx
  const { projectId } = target
  ctx.trail.projectId = projectId
  const found = permits(principal, projectId, 'read')
    ? await db.first<RowOf<typeof workspace_members, 'role'>>(ROLE, {
        caller: principal.userId,
        tenant: principal.tenantId,
        project: projectId,
      })
    : null
  if (!found) throw target.missing()
  requireWriteIn(principal, { projectId }, found.role)
  return found.role
}
