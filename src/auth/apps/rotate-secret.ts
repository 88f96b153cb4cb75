import { z } from '@hono/zod-openapi'
import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { query } from '../../core/database/query.ts'
import { sql } from '../../core/database/sql.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { withoutSecret } from '../../core/idempotency/replay.ts'
import { settleStatement } from '../../core/idempotency/settlement.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { oauth_clients } from '../table.ts'
import { AppWithSecretSchema, isOwn, ownApp, toApp, type App, type AppRow, SAMPLE_APP } from './app.ts'
import { DAY_SECONDS } from '../../core/values/durations.ts'

export const RotateSecret = z
  .strictObject({
    overlap_seconds: z
      .number()
      .int()
      .min(0)
      .max(7 * DAY_SECONDS)
      .default(DAY_SECONDS)
      .meta({ description: 'Seconds for which the old secret still works.' }),
  })
  .prefault({})

interface NewSecret {
  id: string
  user: string
  tenant: string
  hash: string
  oldExpiresAt: number
  now: number
}

const replaceSecret = query((db, to: NewSecret) =>
  db
    .update(oauth_clients)
    .set({
      old_secret_hash: oauth_clients.secret_hash,
      old_secret_expires_at: to.oldExpiresAt,
      secret_hash: to.hash,
      updated_at: to.now,
    })
    .where(isOwn(to))
    .returning(),
)

/** Makes a new secret. The one before stays valid for the overlap, and one still older ends now: at most two are valid. */
export async function rotateSecret(
  ctx: AuthContext,
  id: string,
  input: z.output<typeof RotateSecret>,
): Promise<App & { client_secret: string }> {
  ctx.trail.resourceIds = [id]
  const before = await ownApp(ctx, id)
  if (before.type === 'public') throw new AppError('conflict', { detail: 'A public application has no secret.' })
  const { token, hash } = await ctx.tokens.mint('rcx', ctx.principal.routingId, ctx.random)
  const now = ctx.now()
  const rotated = sql('exists (select 1 from oauth_clients where id = :id and secret_hash = :hash)', { id, hash })
  const [[row]] = await ctx.db.batch<[AppRow, never, never]>([
    ctx.db.statement(replaceSecret, {
      id,
      user: ctx.principal.userId,
      tenant: ctx.principal.tenantId,
      hash,
      oldExpiresAt: now + input.overlap_seconds * 1_000,
      now,
    }),
    auditStatement(ctx, 'apps.rotate_secret', rotated),
    settleStatement(ctx, id, rotated),
  ])
  if (row) return { ...toApp(row), client_secret: token }
  ctx.trail.committed = false
  throw notFound('application', id)
}

export const rotateSecretEndpoint = endpoint({
  method: 'post',
  path: '/v1/apps/{id}/rotate-secret',
  operationId: 'rotateAppSecret',
  tag: 'apps',
  summary: 'Rotate the secret of an OAuth application',
  auth: 'session',
  scope: null,
  limit: 'write',
  audit: 'apps.rotate_secret',
  params: IdParams,
  body: RotateSecret,
  reply: { 200: AppWithSecretSchema },
  errors: ['not_found', 'conflict'],
  idempotent: {
    mode: 'claimed',
    replay: async (ctx, id) => withoutSecret(toApp(await ownApp(ctx, id)), 'client_secret'),
  },
  example: {
    params: { id: SAMPLE_IDS.app },
    body: { overlap_seconds: DAY_SECONDS },
    reply: { ...SAMPLE_APP, require_pkce: true, client_secret: 'rcx_…' },
  },
}).handle(({ ctx, params, body }) => rotateSecret(ctx, params.id, body))
