import type { AuthContext } from '../../core/context.ts'
import type { Params } from '../../core/database/sql.ts'
import type { IdPrefix } from '../../core/values/ids.ts'
import { memberOfProject, rolesSql } from '../access.ts'
import { VISIBLE_WORKSPACES, viewerOf } from '../workspaces/workspace.ts'

/** Where one of `:ids` is what `column` holds. */
const asked = (column: string): string => `json_each(:ids) e cross join ${column}`

/** SQL: whether the user with this id, in SQL, is in a workspace that the caller sees with one of these roles. */
const isWith = (user: string, right: 'read' | 'manage'): string => `exists (
  select 1 from ${VISIBLE_WORKSPACES} and m.role in (${rolesSql(right)}) and exists (
    select 1 from workspace_members o where o.workspace_id = w.id and o.user_id = ${user}))`

const ownsTenant = `(:projects is null and exists (select 1 from tenants t where t.id = :tenant and t.owner_id = :caller))`

/** Members of the caller's workspaces, and to the owner of the tenant every person in it. */
const USERS = `
  select u.id, u.name, u.kind from ${asked('users u on u.id = e.value and u.tenant_id = :tenant and u.deleted_at is null')}
  where u.id = :caller or (u.kind = 'person' and ${ownsTenant}) or ${isWith('u.id', 'read')}`

/**
 * The caller's own keys, those of people whose workspace the caller manages, and those of the caller's workspaces. A caller that
 * is limited to projects gets those that are limited to these, and its own.
 */
const KEYS = `
  select k.id, k.name, 'key' as kind from ${asked('api_keys k on k.id = e.value and k.tenant_id = :tenant')}
  where k.name <> '' and (k.id = :own_key or (
    (iif(k.workspace_id is null, k.user_id = :caller or ${isWith('k.user_id', 'manage')},
      exists (select 1 from ${VISIBLE_WORKSPACES} and w.id = k.workspace_id)))
    and (:projects is null or (k.permissions is not null and not exists (
      select 1 from json_each(k.permissions) p
      where p.value ->> 'project_id' not in (select value from json_each(:projects)))))))`

/**
 * Applications that the caller, or a person whose workspace the caller manages, has made or has let in, under the name that
 * the newest consent showed. A caller that is limited to projects gets the one that it is.
 */
const APPS = `
  select id, name, 'application' as kind from (
    select c.id, c.name, c.user_id, c.created_at as at
    from ${asked('oauth_clients c on c.id = e.value and c.tenant_id = :tenant and c.deleted_at is null')}
    union all
    select g.client_id, g.client_name, g.user_id, g.created_at
    from ${asked('oauth_grants g on g.client_id = e.value and g.tenant_id = :tenant and g.activated_at is not null')}) a
  where a.name <> '' and ((a.user_id = :caller and a.id = :own_app)
    or (:projects is null and (a.user_id = :caller or ${isWith('a.user_id', 'manage')})))
  order by a.at`

const PROJECTS = `
  select p.id, p.name, 'project' as kind
  from ${asked('projects p on p.id = e.value and p.tenant_id = :tenant and p.deleted_at is null')} ${memberOfProject(':caller')}
  where :projects is null or p.id in (select value from json_each(:projects))`

const WORKSPACES = `
  select w.id, w.name, 'workspace' as kind from ${VISIBLE_WORKSPACES} and w.id in (select value from json_each(:ids))`

/** A kind of things with names: the ids that can be of it, and the statement that finds those that the caller may see. */
interface NamedKind {
  mayBe: (id: string) => boolean
  sql: string
  values: (ctx: AuthContext) => Params
  /** Nothing but a list shows their names, and that list needs `read:projects`. */
  listed?: true
}

const begins = (prefix: IdPrefix) => (id: string) => id.startsWith(`${prefix}_`)

export const NAMED_KINDS: readonly NamedKind[] = [
  { mayBe: begins('usr'), sql: USERS, values: viewerOf },
  {
    mayBe: begins('key'),
    sql: KEYS,
    values: (ctx) => ({ ...viewerOf(ctx), own_key: ctx.principal.credential.id }),
  },
  {
    mayBe: (id) => begins('app')(id) || /^https?:/.test(id),
    sql: APPS,
    values: (ctx) => ({ ...viewerOf(ctx), own_app: ctx.principal.credential.appId }),
  },
  { mayBe: begins('prj'), sql: PROJECTS, values: viewerOf, listed: true },
  { mayBe: begins('wsp'), sql: WORKSPACES, values: viewerOf, listed: true },
]
