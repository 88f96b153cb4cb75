import type { CredentialKind, System } from '../core/context.ts'
import type { Database, Statement } from '../core/db.ts'

/** Whose credentials, and which of them live on. */
export interface Ending {
  userId: string
  routingId: string
  /** Spared, such as the session of the request. */
  exceptSession?: string | undefined
  keepKeys?: boolean
}

/**
 * Ends a user's sessions, grants and own keys: at the user's gate now, in D1 with the statements that it answers, for
 * the caller's commit. `onlyIf` is the condition in SQL (plain `?` for its values) under which the commit ends them.
 * `seal` takes the rows of these statements and denies what was issued in between: a session of a login, an access token
 * of a refresh (by its grant), a key.
 */
export async function endCredentials(
  system: System,
  db: Database,
  { userId, routingId, exceptSession = '', keepKeys = false }: Ending,
  onlyIf = '1',
  ...values: (string | number | null)[]
): Promise<{ statements: Statement[]; seal: (ended: readonly (readonly { id: string }[])[]) => Promise<void> }> {
  const hub = system.hub(routingId)
  const now = system.now()
  const kinds: CredentialKind[] = keepKeys ? ['session', 'access'] : ['session', 'access', 'key']
  await hub.deny({ kinds, issuedBefore: now + 1, except: [exceptSession] })
  const end = (table: string, where: string, ...bound: string[]): Statement =>
    db.statement(
      `update ${table} set revoked_at = ? where ${where} and (revoked_at is null or revoked_at > ?) and ${onlyIf} returning id`,
      now,
      ...bound,
      now,
      ...values,
    )
  return {
    statements: [
      end('sessions', 'user_id = ? and id <> ?', userId, exceptSession),
      end('oauth_grants', 'user_id = ?', userId),
      ...(keepKeys ? [] : [end('api_keys', 'user_id = ? and workspace_id is null', userId)]),
    ],
    seal: async (ended) => {
      const ids = ended.flat().map((row) => row.id)
      if (ids.length > 0) await hub.deny({ ids })
    },
  }
}
