import { auditStatement } from '../../audit/index.ts'
import type { Ctx } from '../../core/context.ts'
import { endpoint } from '../../core/endpoint.ts'
import { notFound } from '../../core/errors.ts'
import { IdParams } from '../../core/fields.ts'
import { denyRevokedGrants } from '../oauth/sweep.ts'
import { shardOf } from '../tokens.ts'

/**
 * Deletes an application. Its refresh tokens and codes end with this commit, which revokes its grants; the access
 * tokens that hubs remember are denied right after it, and by the sweep where that fails (contract §2: within 60 s).
 */
export async function deleteApp(ctx: Ctx, id: string): Promise<void> {
  ctx.trail.resourceIds = [id]
  const now = ctx.now()
  const { userId, tenantId } = ctx.principal
  const [deleted] = await ctx.db.batch<[{ id: string }, never, never]>([
    ctx.db.statement(
      `update oauth_clients set deleted_at = ?, secret_hash = null, old_secret_hash = null
       where id = ? and user_id = ? and tenant_id = ? and deleted_at is null returning id`,
      now,
      id,
      userId,
      tenantId,
    ),
    auditStatement(
      ctx,
      'apps.delete',
      'exists (select 1 from oauth_clients where id = ? and user_id = ? and deleted_at = ?)',
      id,
      userId,
      now,
    ),
    ctx.db.statement(
      `update oauth_grants set revoked_at = ?1 where client_id = ?2 and revoked_at is null
         and exists (select 1 from oauth_clients c where c.id = ?2 and c.user_id = ?3 and c.deleted_at = ?1)`,
      now,
      id,
      userId,
    ),
  ])
  if (deleted.length === 0) {
    ctx.trail.committed = false
    throw notFound('application')
  }
  for (const shard of ctx.shards.filter((one) => one !== shardOf(ctx.principal.routingId))) {
    await ctx
      .database(shard)
      .write('update oauth_grants set revoked_at = ? where client_id = ? and revoked_at is null', now, id)
  }
  ctx.waitUntil(denyRevokedGrants(ctx))
}

export const deleteAppEndpoint = endpoint({
  method: 'delete',
  path: '/v1/apps/{id}',
  tag: 'apps',
  summary: 'Delete an OAuth application',
  description: 'Its refresh tokens end at once, its access tokens within 60 seconds.',
  auth: 'session',
  scope: null,
  limit: 'write',
  audit: 'apps.delete',
  params: IdParams,
  reply: { 204: null },
  errors: ['not_found'],
}).handle(({ ctx, params }) => deleteApp(ctx, params.id))
