import { z } from '@hono/zod-openapi'
import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { endpoint, linksTo } from '../../core/http/endpoint.ts'
import { withoutSecret } from '../../core/idempotency/replay.ts'
import { settleStatement } from '../../core/idempotency/settlement.ts'
import {
  appFields,
  AppWithSecretSchema,
  DEFAULT_GRACE_SECONDS,
  ownApp,
  requireRedirectUris,
  toApp,
  type App,
  type AppRow,
  SAMPLE_APP,
} from './app.ts'
import { clientFault, clientStatement, confirmClient, reserveClient } from '../directory/clients.ts'
import { newClient } from '../oauth/clients/new-client.ts'

export const CreateApp = z
  .strictObject({
    ...appFields,
    type: appFields.type.default('confidential'),
    require_pkce: appFields.require_pkce.optional(),
    refresh_grace_seconds: appFields.refresh_grace_seconds.default(DEFAULT_GRACE_SECONDS),
  })
  .refine((app) => app.type === 'confidential' || app.require_pkce !== false, {
    path: ['require_pkce'],
    message: 'A public application always uses PKCE.',
  })

/** Makes an application; its secret is in this answer only. */
export async function createApp(
  ctx: AuthContext,
  input: z.output<typeof CreateApp>,
): Promise<App & { client_secret: string | null }> {
  requireRedirectUris(ctx, input.redirect_uris)
  const { principal } = ctx
  const { id, secret, statement } = await newClient(ctx, ctx.db, {
    owner: { tenantId: principal.tenantId, userId: principal.userId },
    routingId: principal.routingId,
    name: input.name,
    type: input.type,
    redirectUris: [...new Set(input.redirect_uris)],
    scopes: [...new Set(input.scopes)],
    requirePkce: input.require_pkce ?? input.type === 'public',
    refreshGraceSeconds: input.refresh_grace_seconds,
  })
  ctx.trail.resourceIds = [id]
  await reserveClient(ctx, ctx.db.shard, id)
  const [[row]] = await ctx.db
    .batch<[AppRow, never, never, never]>([
      statement,
      clientStatement(ctx, ctx.db, id),
      auditStatement(ctx, 'apps.create'),
      settleStatement(ctx, id),
    ])
    .catch((error: unknown) => {
      throw clientFault(error) ?? error
    })
  ctx.waitUntil(confirmClient(ctx, ctx.db.shard, id))
  if (!row) throw new Error('an insert returns its row')
  return { ...toApp(row), client_secret: secret }
}

export const createAppEndpoint = endpoint({
  method: 'post',
  path: '/v1/apps',
  operationId: 'createApp',
  refusals: {
    invalid_redirect_uri: 'a redirect URI is not in its normal form, has user info, or points to a loopback host',
    invalid_value: '`require_pkce` is false for a public application',
  },
  tag: 'apps',
  summary: 'Create an OAuth application',
  description: 'The `client_secret` of a confidential application is shown in this response only.',
  auth: 'session',
  scope: null,
  limit: 'write',
  audit: 'apps.create',
  body: CreateApp,
  reply: { 201: AppWithSecretSchema },
  links: linksTo(['getApp', 'updateApp', 'rotateAppSecret', 'deleteApp']),
  idempotent: {
    mode: 'claimed',
    replay: async (ctx, id) => withoutSecret(toApp(await ownApp(ctx, id)), 'client_secret'),
  },
  example: {
    body: {
      name: 'Notes',
      type: 'confidential',
      redirect_uris: ['https://notes.example/callback'],
      scopes: ['read:memory', 'write:memory'],
    },
    reply: { ...SAMPLE_APP, client_secret: 'rcx_…' },
  },
}).handle(({ ctx, body }) => createApp(ctx, body))
