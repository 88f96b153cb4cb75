import { z } from '@hono/zod-openapi'
import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { IdParams } from '../../core/http/fields.ts'
import { appFields, AppSchema, ownApp, requireRedirectUris, toApp, type App, type AppRow } from './app.ts'

const { type: _fixed, ...changeable } = appFields
export const UpdateApp = z.strictObject(changeable).partial()

/** Changes the given fields. A removed scope is gone from the next refresh on. The type never changes. */
export async function updateApp(ctx: AuthContext, id: string, input: z.output<typeof UpdateApp>): Promise<App> {
  ctx.trail.resourceIds = [id]
  const before = await ownApp(ctx, id)
  if (input.redirect_uris) requireRedirectUris(ctx, input.redirect_uris)
  if (before.type === 'public' && input.require_pkce === false) {
    throw invalid('require_pkce', 'invalid_value', 'A public application always uses PKCE.')
  }
  const mine = 'id = ? and user_id = ? and tenant_id = ? and deleted_at is null'
  const key = [id, ctx.principal.userId, ctx.principal.tenantId] as const
  const [[row]] = await ctx.db.batch<[AppRow, never]>([
    ctx.db.statement(
      `update oauth_clients set name = coalesce(?, name), redirect_uris = coalesce(?, redirect_uris),
         scopes = coalesce(?, scopes), require_pkce = coalesce(?, require_pkce),
         refresh_grace_seconds = coalesce(?, refresh_grace_seconds), updated_at = ?
       where ${mine} returning *`,
      input.name ?? null,
      input.redirect_uris ? JSON.stringify([...new Set(input.redirect_uris)]) : null,
      input.scopes ? JSON.stringify([...new Set(input.scopes)]) : null,
      input.require_pkce === undefined ? null : Number(input.require_pkce),
      input.refresh_grace_seconds ?? null,
      ctx.now(),
      ...key,
    ),
    auditStatement(ctx, 'apps.update', `exists (select 1 from oauth_clients where ${mine})`, ...key),
  ])
  if (row) return toApp(row)
  ctx.trail.committed = false
  throw notFound('application')
}

export const updateAppEndpoint = endpoint({
  method: 'patch',
  path: '/v1/apps/{id}',
  tag: 'apps',
  summary: 'Change an OAuth application',
  auth: 'session',
  scope: null,
  limit: 'write',
  audit: 'apps.update',
  params: IdParams,
  body: UpdateApp,
  reply: { 200: AppSchema },
  errors: ['not_found'],
  example: { body: { require_pkce: true } },
}).handle(({ ctx, params, body }) => updateApp(ctx, params.id, body))
