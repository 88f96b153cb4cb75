import { and, eq, gt, isNull, or } from 'drizzle-orm'
import { auditStatement } from '../../audit/index.ts'
import { denyThenCommit } from '../../auth/index.ts'
import { api_keys } from '../../auth/table.ts'
import type { AuthContext } from '../../core/context.ts'
import { query } from '../../core/database/query.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { managedKey, ownerOf, refuseApplications } from './key.ts'
import { privilegesOf, refuseEscalation } from './privileges.ts'

const endKey = query((db, by: { id: string; now: number }) =>
  db
    .update(api_keys)
    .set({ revoked_at: by.now })
    .where(and(eq(api_keys.id, by.id), or(isNull(api_keys.revoked_at), gt(api_keys.revoked_at, by.now)))),
)

/** Ends a key, which is refused from its next request on. */
export async function revokeKey(ctx: AuthContext, id: string): Promise<void> {
  refuseApplications(ctx)
  ctx.trail.resourceIds = [id]
  const key = await managedKey(ctx, id)
  ctx.trail.workspaceId = key.workspace_id
  if (id !== ctx.principal.credential.id) await refuseEscalation(ctx, privilegesOf(key))
  const { routingId } = await ownerOf(ctx, key)
  await denyThenCommit(ctx, ctx.db, { routingId, ids: [id] }, () => [
    ctx.db.statement(endKey, { id, now: ctx.now() }),
    auditStatement(ctx, 'api_keys.revoke'),
  ])
}

export const revokeKeyEndpoint = endpoint({
  method: 'delete',
  path: '/v1/api-keys/{id}',
  operationId: 'revokeApiKey',
  tag: 'api-keys',
  summary: 'Revoke an API key',
  description: 'The key is refused from the next request on, and its sockets close.',
  scope: 'admin:workspace',
  limit: 'write',
  audit: 'api_keys.revoke',
  params: IdParams,
  reply: { 204: null },
  errors: ['not_found', 'forbidden', 'session_required'],
  example: { params: { id: SAMPLE_IDS.key } },
}).handle(({ ctx, params }) => revokeKey(ctx, params.id))
