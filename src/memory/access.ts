import type { AuthContext, Principal } from '../core/context.ts'
import type { Params } from '../core/database/sql.ts'
import { notFound, type AppError } from '../core/errors.ts'
import { defaultProject, memberOfProject, noDefaultProject, rolesSql } from '../identity/index.ts'

/** The rules of who may read and change an item, as SQL; no other file states them. */

/** The values of `membershipSql`. */
export const memberParams = ({ principal }: AuthContext) => ({
  caller: principal.userId,
  tenant: principal.tenantId,
  key_permissions: principal.permissions === null ? null : JSON.stringify(principal.permissions),
})

/** The values of `ACCESS_JOINS`, `alive` and `writable`. */
export const accessParams = (ctx: AuthContext) => ({ ...memberParams(ctx), now: ctx.now() })

/** The values of `ACCESS_JOINS` and `readableBy`, which asks for permissions only where the key has some. */
export function readerParams(ctx: AuthContext): Params {
  const { key_permissions, ...params } = memberParams(ctx)
  return key_permissions === null ? params : { ...params, key_permissions }
}

/** SQL: the creator of a private item; '' of one that the whole project may read. It is the reader of the item's class. */
export const readerOf = (item = 'i'): string =>
  `case ${item}.visibility when 'project' then '' else ${item}.created_by end`

/** Joins to `memory_items i` its live project `p` of the tenant, and the caller's membership `m` of that project. */
export const ACCESS_JOINS = `
  cross join projects p on p.id = i.project_id and p.tenant_id = :tenant and p.deleted_at is null
  ${memberOfProject(':caller')}`

/**
 * Selects the project `:project` as `p` with the caller's membership `m`; no row where the caller, or the caller's key, may
 * not see the project.
 */
export const membershipSql = ({ columns = '', joins = '' } = {}): string => `
  select p.id, p.code, m.role${columns} from projects p ${memberOfProject(':caller')} ${joins}
  where p.id = :project and p.tenant_id = :tenant and p.deleted_at is null
    and (:key_permissions is null or exists (select 1 from json_each(:key_permissions) k where k.value ->> 'project_id' = p.id))`

const sharedWithRole = (item: string): string =>
  `${item}.visibility = 'project' or ${item}.created_by = :caller or m.role in (${rolesSql('manage')})`

const granted = (item: string, access: string): string =>
  `exists (select 1 from memory_grants g where g.item_row = ${item}.row and g.user_id = :caller${access})`

/**
 * A permission of the key covers the project and the namespace of the item. The subqueries name no item, so a statement
 * reads the permissions once, however many there are, and looks each item up.
 */
const keyPermits = (item: string, access: string): string => `(:key_permissions is null or ${item}.project_id in (
    select k.value ->> 'project_id' from json_each(:key_permissions) k where k.value -> 'namespaces' is null${access})
  or (${item}.project_id, ${item}.namespace) in (
    select k.value ->> 'project_id', n.value from json_each(:key_permissions) k cross join json_each(k.value, '$.namespaces') n
    where 1${access}))`

/** The item is current and has not expired. It is gone from the instant `expires_at` on (contract §3). */
export const alive = (item = 'i'): string => `(${item}.deleted_at is null and ${unexpired(item)})`

/** The item is retired and has not expired. */
export const retired = (item = 'i'): string => `(${item}.retired_at is not null and ${unexpired(item)})`

/** The row is an item, current or retired, and no tombstone. It may have expired. */
export const held = (item = 'i'): string => `(${item}.deleted_at is null or ${item}.retired_at is not null)`

/** The item is current or retired, and has not expired: a read by its id finds it. */
export const present = (item = 'i'): string => `(${held(item)} and ${unexpired(item)})`

const unexpired = (item: string): string => `(${item}.expires_at is null or ${item}.expires_at > :now)`

/**
 * The principal may read the item, whose `ACCESS_JOINS` hold: by its visibility, a grant or an admin's role. The
 * permissions of a key are asked only where the key is limited to some projects.
 */
export function readableBy({ permissions }: Principal, item = 'i'): string {
  const byRole = `(${sharedWithRole(item)} or ${granted(item, '')})`
  return permissions === null ? byRole : `(${byRole} and ${keyPermits(item, '')})`
}

/**
 * Selects `columns` of the classes (`memory_classes i`) whose items the principal may read all, with `counts`: what the whole
 * project may read, and what is the caller's own. `where`: a further condition. `m` is the caller's membership.
 */
export const ownClasses = (principal: Principal, columns: string, where: string): string => `
  select ${columns}, 1 as counts from m cross join memory_classes i indexed by memory_classes_by_place
    where ${permitted(principal, where)} and i.reader in ('', :caller)`

const MANAGED = `m.role in (${rolesSql('manage')})`

/** Creators who share private items of the project with the caller. */
const SHARING_CREATORS = `
  select distinct x.created_by from memory_grants g cross join memory_items x on x.row = g.item_row
  where g.user_id = :caller and x.project_id = :project and x.created_by <> :caller and x.deleted_at is null`

/** The same of other people's private items, of which the principal may read some. It reads no row for a principal who may read none. */
export const othersClasses = (principal: Principal, columns: string, where: string): string => `
  select ${columns}, 0 as counts from m cross join memory_classes i indexed by memory_classes_by_namespace
    where ${MANAGED} and ${permitted(principal, where)} and i.reader not in ('', :caller)
  union all select ${columns}, 0 from m cross join (${SHARING_CREATORS}) x
    cross join memory_classes i indexed by memory_classes_by_place on i.reader = x.created_by
    where not ${MANAGED} and ${permitted(principal, where)}`

const permitted = ({ permissions }: Principal, where: string): string =>
  permissions === null ? where : `${where} and ${keyPermits('i', '')}`

/** SQL: the principal, who is the member `m` of the project `p`, may read private items of other people. */
export function readsOthers(principal: Principal): string {
  return `iif(${MANAGED},
    exists (select 1 from memory_classes i indexed by memory_classes_by_place
      where ${permitted(principal, "i.project_id = p.id and i.reader > '' and i.reader <> :caller")}),
    exists (select 1 from memory_grants g cross join memory_items i on i.row = g.item_row
      where ${permitted(principal, 'g.user_id = :caller and i.project_id = p.id and i.deleted_at is null')}))`
}

/** The caller may change the item. A grant lends no role: a viewer of the project changes nothing in it. */
export const writable = (item = 'i'): string => `(m.role in (${rolesSql('write')})
  and (${sharedWithRole(item)} or ${granted(item, " and g.access = 'write'")})
  and ${keyPermits(item, " and k.value ->> 'access' = 'write'")})`

/** The caller decides who else may read and change the item. */
export const manageable = (item = 'i'): string => `(${item}.created_by = :caller or m.role in (${rolesSql('manage')}))`

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

/** Throws where the caller may not see the project. A list without a row asks it, since no row says so either. */
export async function requireProject(ctx: AuthContext, target: Target): Promise<void> {
  const found = await ctx.db.first(membershipSql(), { ...memberParams(ctx), project: target.projectId })
  if (!found) throw target.missing()
}
