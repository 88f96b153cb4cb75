import type { CredentialKind, KeyPermission, Principal, Scope } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import type { users } from '../table.ts'
import { defaultProjectOf } from './default-project.ts'

/** A credential as D1 has it. Nothing but its end ever changes. */
export interface Credential {
  principal: Principal
  /** From this instant on it is refused: the earlier of its expiry and its revocation; null: neither is set. */
  expiresAt: number | null
}

type UserRow = typeof users.$inferSelect

/** What the rows of all kinds of credentials have in common: the user, and when the credential ends. */
export interface CredentialRow extends Pick<UserRow, 'tenant_id' | 'routing_id' | 'default_project_id'> {
  id: string
  user_id: UserRow['id']
  user_kind: UserRow['kind']
  ends_at: number | null
}

/** Those of its columns that come from `users u`. */
export const USER_OF_CREDENTIAL =
  'u.id as user_id, u.tenant_id, u.routing_id, u.kind as user_kind, u.default_project_id'

/** What a credential is, and the most that it permits. */
interface CredentialDetails {
  kind: CredentialKind
  scopes: readonly Scope[]
  permissions?: readonly KeyPermission[] | null
  environment?: 'live' | 'test'
  appId?: string
  grantId?: string
}

export function toCredential(
  row: CredentialRow,
  { kind, scopes, permissions = null, environment, appId, grantId }: CredentialDetails,
): Credential {
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
      defaultProjectId: defaultProjectOf(row, permissions),
    },
  }
}

/** Reads a credential by the hash of its token; null where it is unknown. */
export type LoadCredential = (db: Database, tokenHash: string) => Promise<Credential | null>

/** Loads one kind of credential: `byHash` is its statement, `detailsOf` reads what only this kind has. */
export const credentialLoader =
  <Row extends CredentialRow>(byHash: string, detailsOf: (row: Row) => CredentialDetails): LoadCredential =>
  async (db, tokenHash) => {
    const row = await db.first<Row>(byHash, tokenHash)
    return row && toCredential(row, detailsOf(row))
  }
