import { getSessionEndpoint } from './get.ts'
import { listSessionsEndpoint } from './list.ts'
import { revokeOtherSessionsEndpoint } from './revoke-others.ts'
import { revokeSessionEndpoint } from './revoke.ts'

export const sessionEndpoints = [
  listSessionsEndpoint,
  getSessionEndpoint,
  revokeSessionEndpoint,
  revokeOtherSessionsEndpoint,
]
