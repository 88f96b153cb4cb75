import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { query } from '../../core/database/query.ts'
import { exists, sql } from '../../core/database/sql.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { notFound } from '../../core/errors.ts'
import { IdParams } from '../../core/http/fields.ts'
import { commitThenDeny } from '../credentials/deny-and-commit.ts'
import { endGrantsOf } from '../grants/end-grant.ts'
import { releaseErased, releaseStatements } from '../directory/release.ts'
import { oauth_clients } from '../table.ts'
import { isOwn } from './app.ts'
import type { RowOf } from '../../core/database/row.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'

const deleteById = query((db, by: { id: string; user: string; tenant: string; now: number }) =>
  db
    .update(oauth_clients)
    .set({ deleted_at: by.now, name: '', redirect_uris: '[]', secret_hash: null, old_secret_hash: null })
    .where(isOwn(by))
    .returning({ id: oauth_clients.id }),
)

/**
 * Deletes an application and revokes its grants, which ends its refresh tokens and codes with the commit.
 * The hubs refuse its access tokens once the denials reach them: within 60 seconds (contract §2).
 */
export async function deleteApp(ctx: AuthContext, id: string): Promise<void> {
  ctx.trail.resourceIds = [id]
  const now = ctx.now()
  const { userId, tenantId } = ctx.principal
  const deletedHere = sql('select id from oauth_clients where id = :id and user_id = :caller and deleted_at = :now', {
    id,
    caller: userId,
    now,
  })
  const [deleted] = await commitThenDeny<[RowOf<typeof oauth_clients, 'id'>, never]>(
    ctx,
    ctx.db,
    [
      ctx.db.statement(deleteById, { id, user: userId, tenant: tenantId, now }),
      auditStatement(ctx, 'apps.delete', exists(deletedHere)),
      ...endGrantsOf(ctx, ctx.db, deletedHere),
      ...releaseStatements(ctx, ctx.db, deletedHere),
    ],
    { inBackground: true },
  )
  if (deleted.length === 0) {
    ctx.trail.committed = false
    throw notFound('application', id)
  }
  await releaseErased(ctx, ctx.db)
}

export const deleteAppEndpoint = endpoint({
  method: 'delete',
  path: '/v1/apps/{id}',
  operationId: 'deleteApp',
  tag: 'apps',
  summary: 'Delete an OAuth application',
  description: 'Its refresh tokens end immediately, its access tokens within 60 seconds.',
  auth: 'session',
  scope: null,
  limit: 'write',
  audit: 'apps.delete',
  params: IdParams,
  reply: { 204: null },
  errors: ['not_found'],
  example: { params: { id: SAMPLE_IDS.app } },
}).handle(({ ctx, params }) => deleteApp(ctx, params.id))
