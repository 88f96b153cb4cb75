import type { CredentialKind, Ctx, Scope } from '../../core/context.ts'
import { shardOf } from '../tokens.ts'

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
export function onBehalfOf(ctx: Ctx, grantee: Grantee, credentialId = grantee.grantId): Ctx {
  const kind: CredentialKind = 'access'
  return {
    ...ctx,
    db: ctx.database(shardOf(grantee.routingId)),
    principal: {
      userId: grantee.userId,
      tenantId: grantee.tenantId,
      routingId: grantee.routingId,
      kind: 'person',
      credential: {
        kind,
        id: credentialId,
        environment: null,
        appId: grantee.clientId,
        grantId: grantee.grantId,
      },
      scopes: grantee.scopes,
      permissions: null,
      defaultProjectId: null,
    },
    trail: { ...ctx.trail, resourceIds: [grantee.grantId], committed: false },
  }
}
