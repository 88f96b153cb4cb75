import type { Scope } from '../../core/context.ts'
import { boundTo } from '../oauth/resources.ts'
import type { oauth_grants } from '../table.ts'

/** The grant behind a stored code or token: its user, its application, its scopes and its resource. */
export interface StoredGrant {
  tenantId: string
  userId: string
  /** Of the user's hub. */
  routingId: string
  grantId: string
  clientId: string
  scopes: readonly Scope[]
  /** The agent path that its tokens are bound to (RFC 8707); null: none. */
  resource: string | null
}

type GrantRow = typeof oauth_grants.$inferSelect

/** The columns that the statements for codes and tokens select besides their own. */
export interface StoredGrantRow extends Pick<GrantRow, 'tenant_id' | 'user_id' | 'client_id' | 'scopes' | 'resource'> {
  grant_id: GrantRow['id']
}

export const toStoredGrant = (row: StoredGrantRow, routingId: string): StoredGrant => ({
  tenantId: row.tenant_id,
  userId: row.user_id,
  routingId,
  grantId: row.grant_id,
  clientId: row.client_id,
  scopes: JSON.parse(row.scopes) as Scope[],
  resource: boundTo(row.resource),
})
