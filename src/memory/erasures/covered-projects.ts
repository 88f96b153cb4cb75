import type { AuthContext } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { forbidden, memberOfProject, permits, permitsProject, ROLES_THAT, rolesSql } from '../../identity/index.ts'
import type { Role } from '../../identity/table.ts'

/** The projects that an erasure covers. */
interface Covered {
  projectIds: string[]
  /** These are all projects of the tenant. */
  wholeTenant: boolean
}

interface ProjectRole {
  id: string
  role: Role
  /** Projects of the tenant. */
  of: number
}

/** SQL: the caller, whose role may have changed since, administers each of `:project_ids`. */
export const ADMINISTERS_ALL = `not exists (select 1 from json_each(:project_ids) c where not exists (
  select 1 from projects p ${memberOfProject(':caller')}
  where p.id = c.value and p.tenant_id = :tenant and p.deleted_at is null and m.role in (${rolesSql('manage')})))`

const SEEN = `
  select p.id, m.role, (select count(*) from projects a where a.tenant_id = :tenant and a.deleted_at is null) as "of"
  from projects p ${memberOfProject(':caller')} where p.tenant_id = :tenant and p.deleted_at is null order by p.id`

/**
 * The named projects, or all that the caller administers. 404 for one that the caller does not see, 403 for one that the
 * caller, or the caller's key, does not administer, and where there is none.
 */
export async function coveredProjects(ctx: AuthContext, named: readonly string[] | undefined): Promise<Covered> {
  const { principal, db } = ctx
  const rows = await db.all<ProjectRole>(SEEN, { caller: principal.userId, tenant: principal.tenantId })
  const seen = new Map(rows.filter(({ id }) => permits(principal, id, 'read')).map((row) => [row.id, row]))
  const isManaged = ({ id, role }: ProjectRole) => ROLES_THAT.manage.includes(role) && permitsProject(principal, id)
  for (const id of named ?? []) {
    const project = seen.get(id)
    if (!project) throw notFound('project', id)
    if (!isManaged(project)) throw forbidden('Only an owner or admin of its workspace can erase in a project.')
  }
  const covered = [...seen.values()].filter((one) => (named ? named.includes(one.id) : isManaged(one)))
  if (covered.length === 0) throw forbidden('You administer no project.')
  return { projectIds: covered.map(({ id }) => id), wholeTenant: covered.every((one) => one.of === covered.length) }
}

/** The values of `MAY_READ_RECEIPT`. */
export const receiptParams = ({ principal }: AuthContext) => ({
  tenant: principal.tenantId,
  caller: principal.userId,
  whole_projects:
    principal.permissions === null
      ? null
      : JSON.stringify(principal.permissions.filter(({ namespaces }) => !namespaces).map((one) => one.project_id)),
})

/**
 * SQL: the caller may read the receipt `x`: the user who requested it, the owner of the tenant, and who administers all projects
 * that it covers; a limited key only if it reaches all of them. A project that was deleted since counts as its workspace does.
 */
export const MAY_READ_RECEIPT = `x.tenant_id = :tenant and (:whole_projects is null or not exists (
  select 1 from json_each(x.project_ids) c where c.value not in (select value from json_each(:whole_projects)))) and
  (x.requested_by = :caller
  or exists (select 1 from tenants t where t.id = x.tenant_id and t.owner_id = :caller)
  or not exists (select 1 from json_each(x.project_ids) c where not exists (
    select 1 from projects p join workspace_members m on m.workspace_id = p.workspace_id and m.user_id = :caller
    where p.id = c.value and m.role in (${rolesSql('manage')}))))`
