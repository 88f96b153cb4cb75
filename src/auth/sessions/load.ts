import { SCOPES } from '../../core/context.ts'
import type { Database } from '../../core/db.ts'
import type { Credential } from '../credentials.ts'

interface SessionRow {
  id: string
  user_id: string
  tenant_id: string
  routing_id: string
  default_project_id: string | null
  /** Expiry or revocation, whichever comes first. */
  ends_at: number
}

const SESSION_BY_HASH = `
  select s.id, s.user_id, u.tenant_id, u.routing_id, u.default_project_id,
         min(s.expires_at, coalesce(s.revoked_at, s.expires_at)) as ends_at
  from sessions s join users u on u.id = s.user_id and u.deleted_at is null
  where s.token_hash = ?`

/** A session as D1 knows it, by the hash of its token. It carries all scopes; its user's roles bound them (contract §2). */
export async function loadSession(db: Database, tokenHash: string): Promise<Credential | null> {
  const row = await db.first<SessionRow>(SESSION_BY_HASH, tokenHash)
  if (!row) return null
  return {
    expiresAt: row.ends_at,
    principal: {
      userId: row.user_id,
      tenantId: row.tenant_id,
      routingId: row.routing_id,
      kind: 'person',
      credential: { kind: 'session', id: row.id, environment: null, appId: null, grantId: null },
      scopes: SCOPES,
      permissions: null,
      defaultProjectId: row.default_project_id,
    },
  }
}
