import type { AuthContext, Principal } from '../core/context.ts'
import { notFound, type AppError } from '../core/errors.ts'
import { defaultProject, memberOfProject, noDefaultProject, rolesSql } from '../identity/index.ts'

/**
 * The rules of who may read and change an item, as SQL; no other file states them. Statements that use these fragments
 * bind `...accessValues(ctx)` as ?1 to ?4 (user, tenant, now, key permissions) and begin their own parameters at ?5.
 */
export const accessValues = (ctx: AuthContext): [string, string, number, string | null] => [
  ctx.principal.userId,
  ctx.principal.tenantId,
  ctx.now(),
  ctx.principal.permissions === null ? null : JSON.stringify(ctx.principal.permissions),
]

/** Joins to `memory_items i` its live project `p` of the tenant, and the caller's membership `m` of that project. */
export const ACCESS_JOINS = `
  cross join projects p on p.id = i.project_id and p.tenant_id = ?2 and p.deleted_at is null
  ${memberOfProject('?1')}`

/**
 * Selects the project ?5 `p` with the caller's membership `m`; no row where the caller, or the caller's key, may not see
 * the project.
 */
export const membershipSql = ({ columns = '', joins = '' } = {}): string => `
  select p.id, p.code, m.role${columns} from projects p ${memberOfProject('?1')} ${joins}
  where p.id = ?5 and p.tenant_id = ?2 and p.deleted_at is null
    and (?4 is null or exists (select 1 from json_each(?4) k where k.value ->> 'project_id' = p.id))`

const sharedWithRole = (item: string): string =>
  `${item}.visibility = 'project' or ${item}.created_by = ?1 or m.role in (${rolesSql('manage')})`

const granted = (item: string, access: string): string =>
  `exists (select 1 from memory_grants g where g.item_row = ${item}.row and g.user_id = ?1${access})`

/**
 * A permission of the key covers the project and the namespace of the item. The subqueries name no item, so a statement
 * reads the permissions once, however many there are, and looks each item up.
 */
const keyPermits = (item: string, access: string): string => `(?4 is null or ${item}.project_id in (
    select k.value ->> 'project_id' from json_each(?4) k where k.value -> 'namespaces' is null${access})
  or (${item}.project_id, ${item}.namespace) in (
    select k.value ->> 'project_id', n.value from json_each(?4) k cross join json_each(k.value, '$.namespaces') n
    where 1${access}))`

/** The item is neither deleted nor expired. It is gone from the instant `expires_at` on (contract §3). */
export const alive = (item = 'i'): string =>
  `(${item}.deleted_at is null and (${item}.expires_at is null or ${item}.expires_at > ?3))`

/**
 * The principal may read the item, whose `ACCESS_JOINS` hold: by its visibility, a grant or an admin's role. The
 * permissions of a key are asked only where the key is limited to some projects.
 */
export function readableBy({ permissions }: Principal, item = 'i'): string {
  const byRole = `(${sharedWithRole(item)} or ${granted(item, '')})`
  return permissions === null ? byRole : `(${byRole} and ${keyPermits(item, '')})`
}

/** The caller may change the item. A grant lends no role: a viewer of the project changes nothing in it. */
export const writable = (item = 'i'): string => `(m.role in (${rolesSql('write')})
  and (${sharedWithRole(item)} or ${granted(item, " and g.access = 'write'")})
  and ${keyPermits(item, " and k.value ->> 'access' = 'write'")})`

/** The caller decides who else may read and change the item. */
export const manageable = (item = 'i'): string => `(${item}.created_by = ?1 or m.role in (${rolesSql('manage')}))`

/** The project of a call, and the error where the caller cannot reach it. */
export interface Target {
  projectId: string
  /** 404 for a named project that is absent or hidden; 422 for a default that is gone (contract §3). */
  missing(): AppError
}

export function targetProject(ctx: AuthContext, named: string | undefined): Target {
  if (named !== undefined) return { projectId: named, missing: () => notFound('project', named) }
  return {
    projectId: defaultProject(ctx.principal),
    missing: noDefaultProject,
  }
}
