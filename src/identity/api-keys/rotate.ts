import { z } from '@hono/zod-openapi'
import { auditStatement } from '../../audit/index.ts'
import { commitThenDeny, recordDenials } from '../../auth/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { and, sql } from '../../core/database/sql.ts'
import { endpoint, linksTo } from '../../core/http/endpoint.ts'
import { withoutSecret } from '../../core/idempotency/replay.ts'
import { settleStatement } from '../../core/idempotency/settlement.ts'
import { AppError } from '../../core/errors.ts'
import { inheritLimits } from '../../limits/index.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import {
  keyById,
  managedKey,
  mayStore,
  NewKeySchema,
  ownerOf,
  refuseApplications,
  toKey,
  type Key,
  type KeyRow,
  SAMPLE_KEY,
} from './key.ts'
import { newKey } from './new-key.ts'
import { privilegesOf, refuseEscalation } from './privileges.ts'
import { DAY_SECONDS, HOUR_SECONDS } from '../../core/values/durations.ts'

const MAX_OVERLAP_SECONDS = 7 * DAY_SECONDS
const DEFAULT_OVERLAP_SECONDS = DAY_SECONDS

export const RotateKey = z
  .strictObject({
    overlap_seconds: z.int().min(0).max(MAX_OVERLAP_SECONDS).default(DEFAULT_OVERLAP_SECONDS).meta({
      description: 'Seconds for which the old secret still works; never past its own expiry.',
    }),
  })
  .default({ overlap_seconds: DEFAULT_OVERLAP_SECONDS })

/**
 * Makes a successor with the same privileges. The old key ends after the overlap (contract §2). Of two rotations at
 * once one wins, and the other ends nothing. 409 for a key that was rotated already or has expired.
 */
export async function rotateKey(
  ctx: AuthContext,
  id: string,
  { overlap_seconds }: z.output<typeof RotateKey>,
): Promise<Key & { key: string }> {
  refuseApplications(ctx)
  ctx.trail.resourceIds = [id]
  const { db } = ctx
  const old = await managedKey(ctx, id)
  ctx.trail.workspaceId = old.workspace_id
  const now = ctx.now()
  if (old.rotated_to !== null || (old.expires_at !== null && old.expires_at <= now)) throw notRotatable()
  await refuseEscalation(ctx, privilegesOf(old))
  const owner = await ownerOf(ctx, old)
  const endsAt = Math.min(now + overlap_seconds * 1_000, old.expires_at ?? Infinity)
  // The old key is valid and has no successor.
  const rotatable = sql(
    `exists (select 1 from api_keys
       where id = :id and rotated_to is null and (revoked_at is null or revoked_at > :now))`,
    { id, now },
  )
  const next = await newKey(
    ctx,
    db,
    {
      tenantId: ctx.principal.tenantId,
      userId: old.user_id,
      routingId: owner.routingId,
      workspaceId: old.workspace_id,
      createdBy: ctx.principal.userId,
      name: old.name,
      ...privilegesOf(old),
    },
    and(rotatable, mayStore(ctx, old.workspace_id)),
  )
  const made = sql('exists (select 1 from api_keys where id = :next)', { next: next.id })
  const [, , , , , [row]] = await commitThenDeny<[never, never, never, never, never, KeyRow, never]>(ctx, db, [
    next.statement,
    db.statement(
      `update api_keys set rotated_to = :next, revoked_at = min(coalesce(revoked_at, :ends_at), :ends_at)
       where id = :id and ${made.sql}`,
      { ...made.params, id, ends_at: endsAt },
    ),
    recordDenials(
      ctx,
      db,
      sql(
        'select id, :routing_id as routing_id, revoked_at as ends_at from api_keys where id = :id and rotated_to = :next',
        { routing_id: owner.routingId, id, next: next.id },
      ),
    ),
    auditStatement(ctx, 'api_keys.rotate', made),
    settleStatement(ctx, next.id, made),
    db.statement(keyById, { id: next.id }),
    ...inheritLimits(ctx, db, { from: id, to: next.id, requestId: ctx.requestId }),
  ])
  if (!row) {
    await managedKey(ctx, id)
    throw notRotatable()
  }
  return { ...toKey(row, now), key: next.secret }
}

const notRotatable = (): AppError =>
  new AppError('conflict', { detail: 'This key was already rotated or has expired: rotate its successor.' })

export const rotateKeyEndpoint = endpoint({
  method: 'post',
  path: '/v1/api-keys/{id}/rotate',
  operationId: 'rotateApiKey',
  tag: 'api-keys',
  summary: 'Rotate an API key',
  description:
    'Returns a new key with the same scopes and permissions. Both secrets work during the overlap. The new secret is shown once.',
  scope: 'admin:workspace',
  limit: 'write',
  audit: 'api_keys.rotate',
  params: IdParams,
  body: RotateKey,
  reply: { 201: NewKeySchema },
  links: linksTo(['getApiKey', 'revokeApiKey']),
  errors: ['not_found', 'conflict', 'forbidden', 'session_required'],
  idempotent: {
    mode: 'claimed',
    replay: async (ctx, id) => withoutSecret(toKey(await managedKey(ctx, id), ctx.now()), 'key'),
  },
  example: {
    params: { id: SAMPLE_IDS.key },
    body: { overlap_seconds: HOUR_SECONDS },
    reply: { ...SAMPLE_KEY, id: SAMPLE_IDS.rotatedKey, last_four: 'm2rk', key: 'rck_live_…' },
  },
}).handle(({ ctx, params, body }) => rotateKey(ctx, params.id, body))
