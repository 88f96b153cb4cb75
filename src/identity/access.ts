import type { AuthContext, KeyPermission, Principal } from '../core/context.ts'
import { AppError } from '../core/errors.ts'
import type { Role } from './table.ts'

/** The roles that have a right. No other place says what a role may do. */
export const ROLES_THAT: Record<'read' | 'write' | 'manage' | 'own', readonly Role[]> = {
  read: ['owner', 'admin', 'editor', 'viewer'],
  write: ['owner', 'admin', 'editor'],
  manage: ['owner', 'admin'],
  own: ['owner'],
}
export type Right = keyof typeof ROLES_THAT

/** `'owner','admin'`: the roles with a right, as a list for SQL `in (…)`. */
export const rolesSql = (right: Right): string => ROLES_THAT[right].map((role) => `'${role}'`).join(',')

/**
 * The joins that make a row of `projects p` visible to a member: its workspace is not deleted, and the user has a role
 * there (`m.role`). `user` is the user's id in SQL, such as `:caller`.
 */
export const memberOfProject = (user: string): string => `
  join workspaces w on w.id = p.workspace_id and w.deleted_at is null
  join workspace_members m on m.workspace_id = p.workspace_id and m.user_id = ${user}`

/** The permission of a key for a project: `null` where the key has no limits, `undefined` where it may not use it. */
export function permissionFor(principal: Principal, projectId: string): KeyPermission | null | undefined {
  return principal.permissions === null ? null : principal.permissions.find((p) => p.project_id === projectId)
}

/** Whether the credential itself permits an access, apart from the role of its owner. */
export function permits(
  principal: Principal,
  projectId: string,
  access: 'read' | 'write',
  namespace?: string,
): boolean {
  const permission = permissionFor(principal, projectId)
  if (permission === null) return true
  if (permission === undefined || (access === 'write' && permission.access === 'read')) return false
  return namespace === undefined || !permission.namespaces || permission.namespaces.includes(namespace)
}

/** Whether the credential may change the project itself: a key that only reads it, or a part of it, may not. */
export function permitsProject(principal: Principal, projectId: string): boolean {
  return permits(principal, projectId, 'write') && !permissionFor(principal, projectId)?.namespaces
}

export const forbidden = (detail: string): AppError => new AppError('forbidden', { detail })

/**
 * Whether the caller may see the figures of the whole tenant: its owner, and those who manage a workspace that the owner
 * made. A workspace of one's own making gives no right over the tenant.
 */
export async function seesWholeTenant({ db, principal }: AuthContext): Promise<boolean> {
  const row = await db.first(
    `select 1 from tenants t where t.id = :tenant and (t.owner_id = :caller or exists (
       select 1 from workspace_members m join workspaces w on w.id = m.workspace_id and w.deleted_at is null
       where m.user_id = :caller and m.role in (${rolesSql('manage')}) and w.created_by = t.owner_id))`,
    { tenant: principal.tenantId, caller: principal.userId },
  )
  return row !== null && principal.permissions === null
}
