import type { CredentialKind, KeyPermission, Principal, Scope } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { LIMITS_OF_USER, settingsOf, type AccountLimits } from '../../limits/index.ts'
import type { users } from '../table.ts'
import { defaultProjectOf } from './default-project.ts'

/** A credential as D1 has it. Nothing but its end ever changes. */
export interface Credential {
  principal: Principal
  /** From this instant on it is refused: the earlier of its expiry and its revocation; null: neither is set. */
  expiresAt: number | null
  /** The one resource that an access token opens (RFC 8707); null: it opens everything that its scopes do. */
  resource: string | null
}

type UserRow = typeof users.$inferSelect

/** What the rows of all kinds of credentials have in common: the user, and when the credential ends. */
export interface CredentialRow extends Pick<UserRow, 'tenant_id' | 'routing_id' | 'default_project_id'> {
  id: string
  user_id: UserRow['id']
  user_kind: UserRow['kind']
  ends_at: number | null
}

/** What a loader reads with it. */
export interface LoadedRow extends CredentialRow {
  /** JSON of the limits that an operator set for the user. */
  limits: string
}

/** Those of its columns that come from `users u`. */
export const USER_OF_CREDENTIAL = `
  u.id as user_id, u.tenant_id, u.routing_id, u.kind as user_kind, u.default_project_id, ${LIMITS_OF_USER} as limits`

/** What a credential is, and the most that it permits. */
interface CredentialDetails {
  kind: CredentialKind
  scopes: readonly Scope[]
  permissions?: readonly KeyPermission[] | null
  environment?: 'live' | 'test'
  appId?: string
  grantId?: string
  resource?: string | null
}

export function toCredential(
  row: CredentialRow,
  { kind, scopes, permissions = null, environment, appId, grantId, resource = null }: CredentialDetails,
): Credential {
  return {
    expiresAt: row.ends_at,
    resource,
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
      defaultProjectId: defaultProjectOf(row, permissions),
    },
  }
}

/** A credential, and the limits of its user as they stand now: an operator may change them at any time. */
export interface LoadedCredential {
  credential: Credential
  limits: AccountLimits
}

/** Reads a credential by the hash of its token; null where it is unknown. */
export type LoadCredential = (db: Database, tokenHash: string) => Promise<LoadedCredential | null>

/** Loads one kind of credential: `byHash` is its statement by `:token_hash`, `detailsOf` reads what only this kind has. */
export const credentialLoader =
  <Row extends LoadedRow>(byHash: string, detailsOf: (row: Row) => CredentialDetails): LoadCredential =>
  async (db, tokenHash) => {
    const row = await db.first<Row>(byHash, { token_hash: tokenHash })
    if (!row) return null
    const account = { userId: row.user_id, tenantId: row.tenant_id, kind: row.user_kind }
    return { credential: toCredential(row, detailsOf(row)), limits: { account, settings: settingsOf(row.limits) } }
  }
