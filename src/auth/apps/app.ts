import { z } from '@hono/zod-openapi'
import { and, eq, isNull, type SQL } from 'drizzle-orm'
import { iso } from '../../core/values/clock.ts'
import { SCOPES, type AuthContext, type Scope } from '../../core/context.ts'
import { query } from '../../core/database/query.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { idOf, text, timestamp } from '../../core/http/fields.ts'
import { isRedirectUri } from '../oauth/redirect-uri.ts'
import { oauth_clients } from '../table.ts'
import { SAMPLE_IDS, SAMPLE_TIME } from '../../core/sample.ts'

export const DEFAULT_GRACE_SECONDS = 30

/** An absolute https address without a fragment; http where loopback hosts are allowed. */
const REDIRECT_URI = '^https?://[^#\\\\"<>^`{|}*\\s]+$'

export const appFields = {
  name: text(1, 120),
  type: z.enum(['confidential', 'public']),
  redirect_uris: z
    .array(z.string().meta({ format: 'uri', pattern: REDIRECT_URI, maxLength: 2_000 }))
    .min(1)
    .max(20)
    .meta({ description: 'Absolute https URLs without a fragment, compared as exact strings.' }),
  scopes: z
    .array(z.enum(SCOPES))
    .min(1)
    .max(SCOPES.length)
    .meta({ description: 'The scopes that a user can grant to it.' }),
  require_pkce: z.boolean(),
  refresh_grace_seconds: z.number().int().min(0).max(60).meta({
    description: 'Seconds in which an exchanged refresh token that is sent again gets the same successor; 0: never.',
  }),
}

export const AppSchema = z
  .object({
    id: idOf('app'),
    client_id: idOf('app'),
    name: z.string(),
    type: z.enum(['confidential', 'public']),
    redirect_uris: z.array(z.string()),
    scopes: z.array(z.enum(SCOPES)),
    require_pkce: z.boolean(),
    refresh_grace_seconds: z.number(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .openapi('Application')
export type App = z.infer<typeof AppSchema>

export const SAMPLE_APP: App = {
  id: SAMPLE_IDS.app,
  client_id: SAMPLE_IDS.app,
  name: 'Notes',
  type: 'confidential',
  redirect_uris: ['https://notes.example/callback'],
  scopes: ['read:memory', 'write:memory'],
  require_pkce: false,
  refresh_grace_seconds: DEFAULT_GRACE_SECONDS,
  created_at: SAMPLE_TIME,
  updated_at: SAMPLE_TIME,
}

export const AppWithSecretSchema = AppSchema.extend({
  client_secret: z.string().nullable().meta({ description: 'Shown once; null for a public application.' }),
}).openapi('ApplicationWithSecret')
export type AppWithSecret = z.infer<typeof AppWithSecretSchema>

export type AppRow = typeof oauth_clients.$inferSelect

export const toApp = (row: AppRow): App => ({
  id: row.id,
  client_id: row.id,
  name: row.name,
  type: row.type,
  redirect_uris: JSON.parse(row.redirect_uris) as string[],
  scopes: JSON.parse(row.scopes) as Scope[],
  require_pkce: row.require_pkce === 1,
  refresh_grace_seconds: row.refresh_grace_seconds,
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
})

/** The condition for a live application of a user. */
export const isOwn = (of: { id: string; user: string; tenant: string }): SQL | undefined =>
  and(
    eq(oauth_clients.id, of.id),
    eq(oauth_clients.user_id, of.user),
    eq(oauth_clients.tenant_id, of.tenant),
    isNull(oauth_clients.deleted_at),
  )

const appOf = query((db, by: { id: string; user: string; tenant: string }) =>
  db.select().from(oauth_clients).where(isOwn(by)),
)

/** An application of the caller's; 404 for every other id. */
export async function ownApp({ db, principal }: AuthContext, id: string): Promise<AppRow> {
  const row = await db.first(appOf, { id, user: principal.userId, tenant: principal.tenantId })
  if (!row) throw notFound('application', id)
  return row
}

/** 422 with an error for each redirect URI that may not be registered. */
export function requireRedirectUris(ctx: AuthContext, uris: readonly string[]): void {
  const errors = uris.flatMap((uri, index) =>
    isRedirectUri(uri, ctx.config.allowLoopbackRedirects)
      ? []
      : [
          {
            path: `redirect_uris.${index}`,
            code: 'invalid_redirect_uri',
            message: 'Use an absolute https URL in its normal form, without a fragment or user info.',
          },
        ],
  )
  if (errors.length > 0) throw new AppError('validation_failed', { detail: errors[0]?.message ?? '', errors })
}
