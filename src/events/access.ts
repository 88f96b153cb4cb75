import type { KeyPermission, Scope } from '../core/context.ts'
import { rolesSql } from '../identity/index.ts'
import type { EventFacts } from './match.ts'
import type { subscriptions } from './table.ts'

/**
 * SQL: whether `user` (an SQL expression) may receive the event of the alias `event` now. Deny by default: tenant, targets and
 * role decide, and for a private item its creator, readers and admins. An event without a workspace goes to its targets alone.
 * The deletion of an item is sent even after its project was deleted.
 */
export const mayReceive = (event: string, user: string): string => `(
  exists (select 1 from users recipient where recipient.id = ${user} and recipient.tenant_id = ${event}.tenant_id
    and recipient.deleted_at is null)
  and (${event}.targets is null or exists (select 1 from json_each(${event}.targets) t where t.value = ${user}))
  and case when ${event}.workspace_id is null then ${event}.targets is not null and ${event}.project_id is null
    else exists (
      select 1 from workspace_members rm
      cross join workspaces rw on rw.id = rm.workspace_id and rw.deleted_at is null
      where rm.workspace_id = ${event}.workspace_id and rm.user_id = ${user} and rm.role in (${rolesSql('read')})
        and (${event}.project_id is null or exists (select 1 from projects rp where rp.id = ${event}.project_id
          and rp.workspace_id = rm.workspace_id and (rp.deleted_at is null or ${event}.type = 'memory.deleted')))
        and (${event}.visibility = 'project' or ${event}.creator = ${user} or rm.role in (${rolesSql('manage')})
          or exists (select 1 from json_each(${event}.readers) r where r.value = ${user})))
  end)`

/** The bounds of a subscription or socket besides its owner's role. They are those of the credential that made it. */
export interface CredentialBounds {
  scopes: readonly Scope[]
  /** null: all that the owner may use. */
  permissions: readonly KeyPermission[] | null
}

/** The bounds as a row of `subscriptions` or `presence` stores them. */
export const boundsOf = (row: Pick<typeof subscriptions.$inferSelect, 'scopes' | 'permissions'>): CredentialBounds => ({
  scopes: JSON.parse(row.scopes) as Scope[],
  permissions: row.permissions === null ? null : (JSON.parse(row.permissions) as KeyPermission[]),
})

/**
 * Whether the credential may receive an event; the endpoint has checked `read:events`. A key that is limited to projects receives
 * events of these alone. A key that is limited to namespaces receives events alone that name one of them.
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
