import type { AuthContext, IdempotencyClaim } from '../context.ts'

/** Where a key stands: it is scoped to tenant, user and path (contract §1). */
export interface KeyPlace {
  tenant: string
  user: string
  path: string
  key: string
}

export const placeOf = ({ principal }: AuthContext, { path, key }: IdempotencyClaim): KeyPlace => ({
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
