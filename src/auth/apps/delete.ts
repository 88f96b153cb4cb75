import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { notFound } from '../../core/errors.ts'
import { IdParams } from '../../core/http/fields.ts'
import { tellHubs } from '../credentials/denials.ts'
import { endGrantsOf } from '../grants/end-grant.ts'
import { shardOf } from '../credentials/tokens.ts'

/**
 * Deletes an application. Its refresh tokens and codes end with this commit, which revokes its grants; the access
 * tokens that hubs remember are denied right after it, and by the sweep where that fails (contract §2: within 60 s).
 */
export async function deleteApp(ctx: AuthContext, id: string): Promise<void> {
  ctx.trail.resourceIds = [id]
  const now = ctx.now()
  const { userId, tenantId } = ctx.principal
  const [deleted] = await ctx.db.batch<[{ id: string }, never]>([
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
    ...endGrantsOf(
      ctx,
      ctx.db,
      'select id from oauth_clients where id = ? and user_id = ? and deleted_at = ?',
      id,
      userId,
      now,
    ),
  ])
  if (deleted.length === 0) {
    ctx.trail.committed = false
    throw notFound('application')
  }
  const others = ctx.shards.filter((one) => one !== shardOf(ctx.principal.routingId)).map((one) => ctx.database(one))
  for (const db of others) await db.batch(endGrantsOf(ctx, db, 'select ?', id))
  ctx.waitUntil(Promise.all([ctx.db, ...others].map((db) => tellHubs(ctx, db))))
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
