import { and, eq } from 'drizzle-orm'
import type { AuthContext, IdempotencyClaim } from '../context.ts'
import { idempotency_keys } from '../table.ts'

/** Where a key stands: it is scoped to tenant, user and path (contract §1). */
export interface KeyPlace {
  tenant: string
  user: string
  path: string
  key: string
}

export const placeOf = ({ principal }: Pick<AuthContext, 'principal'>, { path, key }: IdempotencyClaim): KeyPlace => ({
  tenant: principal.tenantId,
  user: principal.userId,
  path,
  key,
})

/** SQL with a plain `?` for each of `placeValues`. */
export const AT_PLACE = 'tenant_id = ? and user_id = ? and path = ? and key = ?'

export const placeValues = ({ tenant, user, path, key }: KeyPlace): [string, string, string, string] => [
  tenant,
  user,
  path,
  key,
]

/** The key at its place; `heldAt` only while this request holds it. */
export const at = ({ tenant, user, path, key }: KeyPlace) =>
  and(
    eq(idempotency_keys.tenant_id, tenant),
    eq(idempotency_keys.user_id, user),
    eq(idempotency_keys.path, path),
    eq(idempotency_keys.key, key),
  )

export const heldAt = (place: KeyPlace & { request: string }) =>
  and(at(place), eq(idempotency_keys.write_id, place.request))
