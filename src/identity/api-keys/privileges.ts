import type { AuthContext, KeyPermission, Principal, Scope } from '../../core/context.ts'
import { forbidden } from '../access.ts'

export interface Powers {
  environment: 'live' | 'test'
  scopes: readonly Scope[]
  permissions: readonly KeyPermission[] | null
  expiresAt: number | null
}

/**
 * Why a key may not make, rotate or revoke a key with these powers, or null where it may: its own powers have to cover
 * them, and a key never passes on the power to make keys (contract §2: only narrower keys).
 */
export function widerThan(
  maker: Pick<Principal, 'scopes' | 'permissions'>,
  limits: Powers,
  wanted: Powers,
): string | null {
  if (wanted.scopes.includes('admin:workspace')) return 'A key makes no keys with admin:workspace.'
  const scope = wanted.scopes.find((one) => !maker.scopes.includes(one))
  if (scope) return `This key does not have the scope ${scope} itself.`
  if (limits.environment === 'test' && wanted.environment === 'live') return 'A test key makes test keys only.'
  if (limits.expiresAt !== null && (wanted.expiresAt === null || wanted.expiresAt > limits.expiresAt))
    return 'The new key would outlive this one.'
  if (maker.permissions === null) return null
  return wanted.permissions?.every((one) => maker.permissions?.some((mine) => covers(mine, one)))
    ? null
    : 'This key is limited to projects or namespaces that the new key would go beyond.'
}

const covers = (mine: KeyPermission, wanted: KeyPermission): boolean =>
  mine.project_id === wanted.project_id &&
  (mine.access === 'write' || wanted.access === 'read') &&
  (!mine.namespaces || (wanted.namespaces?.every((name) => mine.namespaces?.includes(name)) ?? false))

/**
 * 403 where the caller is a key and these powers go beyond its own, or that was rotated: in its overlap it serves, but
 * whoever it may have leaked to makes nothing of it that stays. A session may do all that its user may.
 */
export async function requireNarrower(ctx: AuthContext, wanted: Powers): Promise<void> {
  const { credential, scopes, permissions } = ctx.principal
  if (credential.kind !== 'key') return
  const own = await ctx.db.first<{ expires_at: number | null; rotated_to: string | null }>(
    'select expires_at, rotated_to from api_keys where id = ?',
    credential.id,
  )
  if (own?.rotated_to) throw forbidden('This key was rotated: its successor manages keys.')
  const limits = {
    environment: credential.environment ?? 'test',
    scopes,
    permissions,
    expiresAt: own?.expires_at ?? null,
  }
  const reason = widerThan(ctx.principal, limits, wanted)
  if (reason) throw forbidden(reason)
}
