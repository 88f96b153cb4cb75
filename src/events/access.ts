import type { KeyPermission, Scope } from '../core/context.ts'
import { rolesSql } from '../identity/index.ts'
import type { EventFacts } from './match.ts'

/**
 * SQL: whether a user may hear an event now. Deny by default: one of the event's own tenant, who is among its targets
 * if it has any, and a member who may read its project; a private item's event only its creator, its readers and
 * admins. An event of no workspace is for its targets alone. A deleted item's event outlives the item's project.
 * `event` is the alias of a row of `events`, `user` an SQL expression.
 */
export const mayReceive = (event: string, user: string): string => `(
  exists (select 1 from users hearer where hearer.id = ${user} and hearer.tenant_id = ${event}.tenant_id
    and hearer.deleted_at is null)
  and (${event}.targets is null or exists (select 1 from json_each(${event}.targets) t where t.value = ${user}))
  and case when ${event}.workspace_id is null then ${event}.targets is not null and ${event}.project_id is null
    else exists (
      select 1 from workspace_members hm
      cross join workspaces hw on hw.id = hm.workspace_id and hw.deleted_at is null
      where hm.workspace_id = ${event}.workspace_id and hm.user_id = ${user} and hm.role in (${rolesSql('read')})
        and (${event}.project_id is null or exists (select 1 from projects hp where hp.id = ${event}.project_id
          and hp.workspace_id = hm.workspace_id and (hp.deleted_at is null or ${event}.type = 'memory.deleted')))
        and (${event}.visibility = 'project' or ${event}.creator = ${user} or hm.role in (${rolesSql('manage')})
          or exists (select 1 from json_each(${event}.readers) r where r.value = ${user})))
  end)`

/** What bounds a listener besides its owner's role: the credential that made the subscription or opened the socket. */
export interface CredentialBounds {
  scopes: readonly Scope[]
  /** null: all that the owner may use. */
  permissions: readonly KeyPermission[] | null
}

/**
 * Whether the credential lets an event through; the scope to listen at all was asked for at the door. A key that is limited to projects hears events of these projects only;
 * one that is limited to namespaces only those that name one of them.
 */
export function credentialMayReceive({ scopes, permissions }: CredentialBounds, event: EventFacts): boolean {
  if (event.channel === 'memory' && !scopes.includes('read:memory')) return false
  if (permissions === null) return true
  return permissions.some(
    ({ project_id, namespaces }) =>
      project_id === event.project_id &&
      (namespaces === undefined || (event.namespace !== null && namespaces.includes(event.namespace))),
  )
}
