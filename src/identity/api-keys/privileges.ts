import { eq } from 'drizzle-orm'
import { api_keys } from '../../auth/table.ts'
import type { AuthContext, KeyPermission, Scope } from '../../core/context.ts'
import { query } from '../../core/database/query.ts'
import { forbidden } from '../access.ts'
import { permissionsOf, scopesOf, type KeyRow } from './key.ts'

/** The most that a key may do, and its expiry. */
export interface Privileges {
  environment: 'live' | 'test'
  scopes: readonly Scope[]
  permissions: readonly KeyPermission[] | null
  /** Milliseconds since 1970; null: without end. */
  expiresAt: number | null
}

export const privilegesOf = (key: KeyRow): Privileges => ({
  environment: key.environment,
  scopes: scopesOf(key),
  permissions: permissionsOf(key),
  expiresAt: key.expires_at,
})

/**
 * Why a key may not make, rotate or revoke a key with these privileges, or null where it may. Its own privileges have to
 * cover them. A key never passes on the right to manage keys (contract §2).
 */
export function escalation(own: Privileges, wanted: Privileges): string | null {
  if (wanted.scopes.includes('admin:workspace')) return 'A key cannot create keys with admin:workspace.'
  const scope = wanted.scopes.find((one) => !own.scopes.includes(one))
  if (scope) return `This key does not have the scope ${scope} itself.`
  if (own.environment === 'test' && wanted.environment === 'live') return 'A test key can create only test keys.'
  if (own.expiresAt !== null && (wanted.expiresAt === null || wanted.expiresAt > own.expiresAt))
    return 'The new key would outlive this one.'
  const { permissions } = own
  if (permissions === null) return null
  return wanted.permissions?.every((one) => permissions.some((mine) => covers(mine, one)))
    ? null
    : 'The new key would reach beyond the projects or namespaces that this key is limited to.'
}

const covers = (mine: KeyPermission, wanted: KeyPermission): boolean =>
  mine.project_id === wanted.project_id &&
  (mine.access === 'write' || wanted.access === 'read') &&
  (!mine.namespaces || (wanted.namespaces?.every((name) => mine.namespaces?.includes(name)) ?? false))

const endOfKey = query((db, by: { id: string }) =>
  db
    .select({ expires_at: api_keys.expires_at, rotated_to: api_keys.rotated_to })
    .from(api_keys)
    .where(eq(api_keys.id, by.id)),
)

/**
 * 403 where the caller is a key with lesser privileges, or a key that was rotated: such a key may have leaked, so it
 * manages no keys during its overlap. A session may do all that its user may.
 */
export async function refuseEscalation(ctx: AuthContext, wanted: Privileges): Promise<void> {
  const { credential, scopes, permissions } = ctx.principal
  if (credential.kind !== 'key') return
  const key = await ctx.db.first(endOfKey, { id: credential.id })
  if (key?.rotated_to) throw forbidden('This key was rotated: use its successor to manage keys.')
  const environment = credential.environment ?? 'test'
  const reason = escalation({ environment, scopes, permissions, expiresAt: key?.expires_at ?? null }, wanted)
  if (reason) throw forbidden(reason)
}
