import type { AuthContext } from '../core/context.ts'
import { invalid, notFound, type AppError } from '../core/errors.ts'
import { defaultProject, memberOfProject, rolesSql } from '../identity/index.ts'

/**
 * Who may reach which item: the only place that knows. Statements that use these fragments bind `...accessValues(ctx)`
 * as ?1 to ?4 (user, tenant, now, key permissions) and begin their own parameters at ?5.
 */
export const accessValues = (ctx: AuthContext): [string, string, number, string | null] => [
  ctx.principal.userId,
  ctx.principal.tenantId,
  ctx.now(),
  ctx.principal.permissions === null ? null : JSON.stringify(ctx.principal.permissions),
]

/** The joins of `memory_items i`: its project `p` is alive and of the tenant, and the caller has a role `m` there. */
export const ACCESS_JOINS = `
  cross join projects p on p.id = i.project_id and p.tenant_id = ?2 and p.deleted_at is null
  ${memberOfProject('?1')}`

const granted = (item: string, access: string): string =>
  `exists (select 1 from memory_grants g where g.item_row = ${item}.row and g.user_id = ?1${access})`

const mine = (item: string): string =>
  `${item}.visibility = 'project' or ${item}.created_by = ?1 or m.role in (${rolesSql('manage')})`

const keyLets = (item: string, access: string): string => `(?4 is null or exists (
  select 1 from json_each(?4) k where k.value ->> 'project_id' = ${item}.project_id${access}
  and (k.value -> 'namespaces' is null
    or exists (select 1 from json_each(k.value, '$.namespaces') n where n.value = ${item}.namespace))))`

/** Neither deleted nor, by the clock, expired: from `expires_at` on an item is gone (contract §3). */
export const alive = (item = 'i'): string =>
  `(${item}.deleted_at is null and (${item}.expires_at is null or ${item}.expires_at > ?3))`

/** Whether the caller may read the row, whose `ACCESS_JOINS` hold: visibility, grants, admins. */
export const readableByRole = (item = 'i'): string => `(${mine(item)} or ${granted(item, '')})`

/** Whether the credential may: the same, and the permissions of the key. */
export const readable = (item = 'i'): string => `(${readableByRole(item)} and ${keyLets(item, '')})`

/** The same for changes. A grant never lends a role: who may only read the project changes nothing in it. */
export const writable = (item = 'i'): string => `(m.role in (${rolesSql('write')})
  and (${mine(item)} or ${granted(item, " and g.access = 'write'")})
  and ${keyLets(item, " and k.value ->> 'access' = 'write'")})`

/** Whether the caller decides who else may reach the item. */
export const manageable = (item = 'i'): string => `(${item}.created_by = ?1 or m.role in (${rolesSql('manage')}))`

/** The project that a call means, and how it is said that there is none. */
export interface Target {
  projectId: string
  /** 404 for a named project that is absent or hidden; 422 for a default that is gone (contract §3). */
  missing(): AppError
}

export function targetProject(ctx: AuthContext, named: string | undefined): Target {
  if (named !== undefined) return { projectId: named, missing: () => notFound('project') }
  return {
    projectId: defaultProject(ctx.principal),
    missing: () =>
      invalid('context.project_id', 'no_default_project', 'The default project is gone or barred: name another one.'),
  }
}
