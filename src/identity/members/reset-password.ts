import { z } from '@hono/zod-openapi'
import { auditInsert, auditRow } from '../../audit/index.ts'
import {
  commitThenDeny,
  deviceToken,
  endCredentials,
  hashPassword,
  LOGIN_FORM,
  NewPassword,
  proveSource,
} from '../../auth/index.ts'
import { shardOf } from '../../core/shards.ts'
import type { password_resets, users } from '../../auth/table.ts'
import type { RequestContext } from '../../core/context.ts'
import { sql } from '../../core/database/sql.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { invalid } from '../../core/errors.ts'
import { mayReset } from './reset-link.ts'
import type { RowOf } from '../../core/database/row.ts'

export const ResetPassword = z.strictObject({
  token: z.string().min(1).max(200).meta({ description: 'The token in a reset link.' }),
  password: NewPassword,
})

export const ResetReply = z.object({ device_token: deviceToken }).openapi('PasswordReset')
export type ResetReply = z.infer<typeof ResetReply>

/** The link `r` with `:token_hash` that is unused and not expired `:now`, and whose maker may still make it. */
const OPEN = `
  from password_resets r join users u on u.id = r.user_id and u.deleted_at is null
  where r.token_hash = :token_hash and r.used_at is null and r.expires_at > :now and ${mayReset('r.created_by', 'r.user_id')}`

type Target = Pick<typeof password_resets.$inferSelect, 'user_id'> &
  Pick<typeof users.$inferSelect, 'tenant_id' | 'routing_id'>

/**
 * Sets a password by a one-time link and ends all credentials of the user. 422 for any other token. The link proves who the
 * caller is, so the device and the network of the caller become known: wrong logins elsewhere do not delay them (security 43).
 */
export async function resetPassword(ctx: RequestContext, input: z.output<typeof ResetPassword>): Promise<ResetReply> {
  const parsed = await ctx.tokens.parse(input.token)
  if (parsed?.prefix !== 'rcp') throw badLink()
  const db = ctx.database(shardOf(parsed.routingId))
  const target = await db.first<Target>(`select r.user_id, u.tenant_id, u.routing_id ${OPEN}`, {
    token_hash: parsed.hash,
    now: ctx.now(),
  })
  if (!target) throw badLink()
  const user = { userId: target.user_id, tenantId: target.tenant_id, routingId: target.routing_id }
  const hash = await hashPassword(ctx, input.password)
  const done = sql('exists (select 1 from users where id = :user and password_hash = :password_hash)', {
    user: user.userId,
    password_hash: hash,
  })
  const row = auditRow(ctx, {
    action: 'auth.reset_password',
    outcome: 'success',
    requestId: ctx.requestId,
    principal: { ...user, credential: { kind: 'reset_link', id: '', environment: null, appId: null } },
    trail: { resourceIds: [user.userId], projectId: null, workspaceId: null },
  })
  const proved = await proveSource(ctx, db, user, done)
  const [[used]] = await commitThenDeny<[RowOf<typeof users, 'id'>, never]>(ctx, db, [
    db.statement(
      `update users set password_hash = :password_hash, updated_at = :now
       where id = (select r.user_id ${OPEN}) returning id`,
      { password_hash: hash, token_hash: parsed.hash, now: ctx.now() },
    ),
    auditInsert(ctx, db, row, done),
    ...endCredentials(ctx, db, user, done),
    proved.statement,
  ])
  if (!used) throw badLink()
  return { device_token: proved.deviceToken }
}

const badLink = () => invalid('token', 'invalid_link', 'The link is unknown, used or expired.')

export const resetPasswordEndpoint = endpoint({
  ...LOGIN_FORM,
  path: '/auth/reset-password',
  operationId: 'resetPassword',
  refusals: { invalid_link: 'the link is unknown, used or expired' },
  summary: 'Set a new password with a reset link',
  description:
    'Ends all sessions, grants and API keys of the user. The link works once. Send the `device_token` with the next login: failed logins elsewhere do not delay it.',
  body: ResetPassword,
  reply: { 200: ResetReply },
  example: { body: { token: 'rcp_…', password: 'correct horse battery' }, reply: { device_token: 'rcd_…' } },
}).handle(({ ctx, body }) => resetPassword(ctx, body))
