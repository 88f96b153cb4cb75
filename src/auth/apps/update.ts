import { z } from '@hono/zod-openapi'
import { sql, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { query } from '../../core/database/query.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { oauth_clients } from '../table.ts'
import {
  appFields,
  AppSchema,
  isOwn,
  ownApp,
  requireRedirectUris,
  toApp,
  type App,
  type AppRow,
  SAMPLE_APP,
} from './app.ts'

const { type: _fixed, ...changeable } = appFields
export const UpdateApp = z.strictObject(changeable).partial()

/** The new values; null: unchanged. */
interface AppChange {
  id: string
  user: string
  tenant: string
  name: string | null
  redirectUris: string | null
  scopes: string | null
  requirePkce: number | null
  graceSeconds: number | null
  now: number
}

const orUnchanged = (value: string | number | null, column: SQLiteColumn): SQL => sql`coalesce(${value}, ${column})`

const changeById = query((db, to: AppChange) =>
  db
    .update(oauth_clients)
    .set({
      name: orUnchanged(to.name, oauth_clients.name),
      redirect_uris: orUnchanged(to.redirectUris, oauth_clients.redirect_uris),
      scopes: orUnchanged(to.scopes, oauth_clients.scopes),
      require_pkce: orUnchanged(to.requirePkce, oauth_clients.require_pkce),
      refresh_grace_seconds: orUnchanged(to.graceSeconds, oauth_clients.refresh_grace_seconds),
      updated_at: to.now,
    })
    .where(isOwn(to))
    .returning(),
)

/** Changes the given fields. A removed scope is gone from the next refresh on. The type never changes. */
export async function updateApp(ctx: AuthContext, id: string, input: z.output<typeof UpdateApp>): Promise<App> {
  ctx.trail.resourceIds = [id]
  const before = await ownApp(ctx, id)
  if (input.redirect_uris) requireRedirectUris(ctx, input.redirect_uris)
  if (before.type === 'public' && input.require_pkce === false) {
    throw invalid('require_pkce', 'invalid_value', 'A public application always uses PKCE.')
  }
  const { userId, tenantId } = ctx.principal
  const [[row]] = await ctx.db.batch<[AppRow, never]>([
    ctx.db.statement(changeById, {
      id,
      user: userId,
      tenant: tenantId,
      name: input.name ?? null,
      redirectUris: input.redirect_uris ? JSON.stringify([...new Set(input.redirect_uris)]) : null,
      scopes: input.scopes ? JSON.stringify([...new Set(input.scopes)]) : null,
      requirePkce: input.require_pkce === undefined ? null : Number(input.require_pkce),
      graceSeconds: input.refresh_grace_seconds ?? null,
      now: ctx.now(),
    }),
    auditStatement(ctx, 'apps.update', {
      sql: `exists (select 1 from oauth_clients
              where id = :id and user_id = :caller and tenant_id = :tenant and deleted_at is null)`,
      params: { id, caller: userId, tenant: tenantId },
    }),
  ])
  if (row) return toApp(row)
  ctx.trail.committed = false
  throw notFound('application', id)
}

export const updateAppEndpoint = endpoint({
  method: 'patch',
  path: '/v1/apps/{id}',
  operationId: 'updateApp',
  refusals: {
    invalid_redirect_uri: 'a redirect URI is not in its normal form, has user info, or points to a loopback host',
    invalid_value: '`require_pkce` is false for a public application',
  },
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
  example: {
    params: { id: SAMPLE_IDS.app },
    body: { require_pkce: true },
    reply: { ...SAMPLE_APP, require_pkce: true },
  },
}).handle(({ ctx, params, body }) => updateApp(ctx, params.id, body))
