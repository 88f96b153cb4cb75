import { auditStatement } from '../../audit/index.ts'
import { denyThenCommit } from '../../auth/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { managedKey, permissionsOf, refuseApplications, scopesOf, type KeyRow } from './key.ts'
import { requireNarrower } from './privileges.ts'

/** Ends a key, which is refused from its next request on. */
export async function revokeKey(ctx: AuthContext, id: string): Promise<void> {
  refuseApplications(ctx)
  ctx.trail.resourceIds = [id]
  const key = await managedKey(ctx, id)
  ctx.trail.workspaceId = key.workspace_id
  if (id !== ctx.principal.credential.id) await requireNarrower(ctx, powersOf(key))
  const { routingId } = await ownerOf(ctx, key)
  await denyThenCommit(ctx, ctx.db, { routingId, ids: [id] }, () => [
    ctx.db.statement(
      'update api_keys set revoked_at = ?1 where id = ?2 and (revoked_at is null or revoked_at > ?1)',
      ctx.now(),
      id,
    ),
    auditStatement(ctx, 'api_keys.revoke'),
  ])
}

export const powersOf = (key: KeyRow) => ({
  environment: key.environment,
  scopes: scopesOf(key),
  permissions: permissionsOf(key),
  expiresAt: key.expires_at,
})

/** As whom a key acts: the caller, or a workspace's service account. */
export async function ownerOf(ctx: AuthContext, key: Pick<KeyRow, 'user_id'>): Promise<{ routingId: string }> {
  if (key.user_id === ctx.principal.userId) return ctx.principal
  const owner = await ctx.db.first<{ routing_id: string }>('select routing_id from users where id = ?', key.user_id)
  if (!owner) throw new Error('a key has an owner')
  return { routingId: owner.routing_id }
}

export const revokeKeyEndpoint = endpoint({
  method: 'delete',
  path: '/v1/api-keys/{id}',
  tag: 'api-keys',
  summary: 'Revoke an API key',
  description: 'The key is refused from the next request on, and its sockets close.',
  scope: 'admin:workspace',
  limit: 'write',
  audit: 'api_keys.revoke',
  params: IdParams,
  reply: { 204: null },
  errors: ['not_found', 'forbidden', 'session_required'],
}).handle(({ ctx, params }) => revokeKey(ctx, params.id))
