import type { CredentialKind, KeyPermission, Principal, Scope } from '../../core/context.ts'

/** A live credential as D1 knows it: all that never changes about it. */
export interface Credential {
  principal: Principal
  /** The instant from which it is refused: its expiry or its revocation, whichever comes first; null: neither is set. */
  expiresAt: number | null
}

/** Whose a credential is, and when it ends: the part of its row that every kind of credential has. */
export interface CredentialRow {
  id: string
  user_id: string
  tenant_id: string
  routing_id: string
  user_kind: 'person' | 'service'
  default_project_id: string | null
  ends_at: number | null
}

/** The columns of `users u` among them. */
export const USER_OF_CREDENTIAL =
  'u.id as user_id, u.tenant_id, u.routing_id, u.kind as user_kind, u.default_project_id'

/** What a credential is, and what it opens at most. */
interface Nature {
  kind: CredentialKind
  scopes: readonly Scope[]
  permissions?: readonly KeyPermission[] | null
  environment?: 'live' | 'test'
  appId?: string
  grantId?: string
}

export function toCredential(
  row: CredentialRow,
  { kind, scopes, permissions = null, environment, appId, grantId }: Nature,
): Credential {
  const only = permissions?.length === 1 ? permissions[0] : undefined
  return {
    expiresAt: row.ends_at,
    principal: {
      userId: row.user_id,
      tenantId: row.tenant_id,
      routingId: row.routing_id,
      kind: row.user_kind,
      credential: {
        kind,
        id: row.id,
        environment: environment ?? null,
        appId: appId ?? null,
        grantId: grantId ?? null,
      },
      scopes,
      permissions,
      // Contract §3: the project that a key is limited to, if exactly one, else the user's.
      defaultProjectId: only?.project_id ?? row.default_project_id,
    },
  }
}
