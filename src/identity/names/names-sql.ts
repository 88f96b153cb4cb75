import type { AuthContext } from '../../core/context.ts'
import type { Params } from '../../core/database/sql.ts'
import type { IdPrefix } from '../../core/values/ids.ts'
import { memberOfProject, rolesSql } from '../access.ts'
import { VISIBLE_WORKSPACES, viewerOf } from '../workspaces/workspace.ts'

/** Where one of `:ids` is what `column` holds. */
const asked = (column: string): string => `json_each(:ids) e cross join ${column}`

/**
 * The caller's workspaces, once for each statement. Whether an id is visible costs a look-up by primary key in each of them,
 * however many people they have.
 */
const MINE = `mine as materialized (
  select w.id, m.role in (${rolesSql('manage')}) as manages from ${VISIBLE_WORKSPACES})`

/** SQL: whether the user with this id, in SQL, is in one of `mine`; with `manage`, in one that the caller manages. */
const isWith = (user: string, right: 'read' | 'manage'): string => `exists (
  select 1 from mine cross join workspace_members o on o.workspace_id = mine.id and o.user_id = ${user}
  ${right === 'manage' ? 'where mine.manages' : ''})`

/** As in the list of people, which needs a session. */
const ownsTenant = `(:session and :projects is null and exists (
  select 1 from tenants t where t.id = :tenant and t.owner_id = :caller))`

/** Members of the caller's workspaces, and to the owner of the tenant every person in it. */
const USERS = `with ${MINE}
  select u.id, u.name, u.kind from ${asked('users u on u.id = e.value and u.tenant_id = :tenant and u.deleted_at is null')}
  where u.id = :caller or (u.kind = 'person' and ${ownsTenant}) or ${isWith('u.id', 'read')}`

/** Whether key `k` can use what is in a workspace that the caller manages. */
const REACHES_MANAGED = `(k.permissions is null or exists (
  select 1 from json_each(k.permissions) p cross join projects r on r.id = p.value ->> 'project_id'
    cross join mine on mine.id = r.workspace_id and mine.manages))`

/**
 * The caller's own keys, those of people whose workspace the caller manages, and those of the caller's workspaces. A caller that
 * is limited to projects gets those that are limited to these, and its own.
 */
const KEYS = `with ${MINE}
  select k.id, k.name, 'key' as kind from ${asked('api_keys k on k.id = e.value and k.tenant_id = :tenant')}
  where k.name <> '' and (k.id = :own_key or (
    iif(k.workspace_id is null, k.user_id = :caller or (${isWith('k.user_id', 'manage')} and ${REACHES_MANAGED}),
      exists (select 1 from mine where mine.id = k.workspace_id))
    and (:projects is null or (k.permissions is not null and not exists (
      select 1 from json_each(k.permissions) p
      where p.value ->> 'project_id' not in (select value from json_each(:projects)))))))`

const CLIENT = 'c.id = e.value and c.tenant_id = :tenant and c.deleted_at is null'

const isManaged = (user: string): string => `(:projects is null and ${isWith(user, 'manage')})`

const GRANT = `g.client_id = e.value and g.tenant_id = :tenant and g.activated_at is not null and g.client_name <> ''`

/** The consents to an asked id by the caller, and by others only if the caller manages a workspace: there can be many. */
const VISIBLE_GRANTS = `
  select g.id, g.created_at from oauth_grants g where ${GRANT} and g.user_id = :caller
  union all
  select g.id, g.created_at from (select 1 from mine where manages limit 1) cross join oauth_grants g
  where ${GRANT} and ${isManaged('g.user_id')}`

/**
 * Applications that the caller, or a person whose workspace the caller manages, has made or has let in. One of the tenant has the
 * name that it has now, and any other the name that the newest of these consents showed. A caller that is limited to projects gets
 * the one that it is.
 */
const APPS = `with ${MINE}
  select c.id, c.name, 'application' as kind from ${asked(`oauth_clients c on ${CLIENT}`)}
  where c.name <> '' and (:projects is null or c.id = :own_app)
    and (c.user_id = :caller or ${isManaged('c.user_id')} or exists (${VISIBLE_GRANTS}))
  union all
  select g.client_id, g.client_name, 'application'
  from ${asked(`oauth_grants g on g.id = (select id from (${VISIBLE_GRANTS}) order by created_at desc limit 1)`)}
  where (:projects is null or e.value = :own_app) and not exists (select 1 from oauth_clients c where ${CLIENT})`

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
  {
    mayBe: begins('usr'),
    sql: USERS,
    values: (ctx) => ({ ...viewerOf(ctx), session: ctx.principal.credential.kind === 'session' ? 1 : 0 }),
  },
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
