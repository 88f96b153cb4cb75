import type { CredentialKind, Principal } from '../core/context.ts'
import type { Database } from '../core/db.ts'
import { loadKey } from './api-keys/load.ts'
import { loadAccessToken } from './oauth/load.ts'
import { loadSession } from './sessions/load.ts'

/** A live credential as D1 knows it: all that never changes about it. */
export interface Credential {
  principal: Principal
  issuedAt: number
  expiresAt: number | null
}

type Load = (db: Database, tokenHash: string) => Promise<Credential | null>

const LOADERS: Record<CredentialKind, Load> = { key: loadKey, session: loadSession, access: loadAccessToken }

/** Reads a credential by the hash of its token; null where it is unknown. Expiry and revocation are instants in the answer. */
export async function loadCredential(
  db: Database,
  kind: CredentialKind,
  tokenHash: string,
): Promise<Credential | null> {
  return LOADERS[kind](db, tokenHash)
}
