import { newTrail, type AuthContext, type RequestContext, type Scope } from '../../core/context.ts'
import { toCredential } from '../credentials/credential.ts'
import { shardOf } from '../credentials/tokens.ts'

/** Whose tokens a request deals with, as the stored code or token tells. */
export interface Grantee {
  tenantId: string
  userId: string
  routingId: string
  grantId: string
  clientId: string
  scopes: readonly Scope[]
}

/** The context of the user behind a code or token, in that user's shard, so that the audit names them. */
export function onBehalfOf(ctx: RequestContext, grantee: Grantee): AuthContext {
  const { principal } = toCredential(
    {
      id: grantee.grantId,
      user_id: grantee.userId,
      tenant_id: grantee.tenantId,
      routing_id: grantee.routingId,
      user_kind: 'person',
      default_project_id: null,
      ends_at: null,
    },
    { kind: 'access', scopes: grantee.scopes, appId: grantee.clientId, grantId: grantee.grantId },
  )
  return {
    ...ctx,
    db: ctx.database(shardOf(grantee.routingId)),
    principal,
    idempotency: null,
    trail: { ...newTrail(), resourceIds: [grantee.grantId] },
  }
}
