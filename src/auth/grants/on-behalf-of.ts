import { authContext, newTrail, type AuthContext, type RequestContext } from '../../core/context.ts'
import { toCredential } from '../credentials/credential.ts'
import type { StoredGrant } from './stored-grant.ts'

/**
 * The context of the user who gave a grant, in that user's shard. The token endpoints authenticate the client alone, and
 * the audit names the user.
 */
export function onBehalfOf(ctx: RequestContext, grant: StoredGrant): AuthContext {
  const { principal } = toCredential(
    {
      id: grant.grantId,
      user_id: grant.userId,
      tenant_id: grant.tenantId,
      routing_id: grant.routingId,
      user_kind: 'person',
      default_project_id: null,
      ends_at: null,
    },
    { kind: 'access', scopes: grant.scopes, appId: grant.clientId, grantId: grant.grantId },
  )
  return authContext(ctx, principal, { trail: { ...newTrail(), resourceIds: [grant.grantId] } })
}
