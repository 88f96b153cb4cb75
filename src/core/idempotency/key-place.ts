import { and, eq } from 'drizzle-orm'
import type { AuthContext, IdempotencyClaim } from '../context.ts'
import { idempotency_keys } from '../table.ts'

/** Where a key stands: it is scoped to tenant, user and path (contract §1). It is named as the parameters of `AT_PLACE`. */
export type KeyPlace = Record<'claim_tenant' | 'claim_user' | 'claim_path' | 'claim_key', string>

export const keyPlaceOf = (
  { principal }: Pick<AuthContext, 'principal'>,
  { path, key }: IdempotencyClaim,
): KeyPlace => ({
  claim_tenant: principal.tenantId,
  claim_user: principal.userId,
  claim_path: path,
  claim_key: key,
})

/** SQL: the row is at a `KeyPlace`; `HELD_AT_PLACE` only while the request `:claim_request` holds the key. */
export const AT_PLACE =
  'tenant_id = :claim_tenant and user_id = :claim_user and path = :claim_path and key = :claim_key'
export const HELD_AT_PLACE = `${AT_PLACE} and write_id = :claim_request`

/** The same for the builder. */
export const at = (place: KeyPlace) =>
  and(
    eq(idempotency_keys.tenant_id, place.claim_tenant),
    eq(idempotency_keys.user_id, place.claim_user),
    eq(idempotency_keys.path, place.claim_path),
    eq(idempotency_keys.key, place.claim_key),
  )

export type HeldPlace = KeyPlace & { claim_request: string }

export const heldAt = (place: HeldPlace) => and(at(place), eq(idempotency_keys.write_id, place.claim_request))
