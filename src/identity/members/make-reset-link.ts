import { z } from '@hono/zod-openapi'
import { auditStatement } from '../../audit/index.ts'
import { iso } from '../../core/values/clock.ts'
import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { invalid } from '../../core/errors.ts'
import { timestamp } from '../../core/http/fields.ts'
import { forbidden, ROLES_THAT, rolesSql } from '../access.ts'
import { requireWholeWorkspace, visibleWorkspace } from '../workspaces/workspace.ts'
import { memberOf, MemberParams } from './member.ts'

const LIFE_MS = 24 * 3_600_000

export const ResetLinkSchema = z
  .object({
    reset_url: z.string().nullable().meta({ description: 'Shown in this response only; works once.' }),
    expires_at: timestamp,
  })
  .openapi('ResetLink')

/**
 * Whether one user may lend out the login of another (both as SQL): they share a workspace, and the first owns every one that
 * the second is in, since the link lends all of them. It has to hold when a link is made, and again when it is used.
 */
export const mayReset = (maker: string, member: string): string => {
  const shared = `
    select 1 from workspace_members t join workspaces w on w.id = t.workspace_id and w.deleted_at is null
    where t.user_id = ${member}`
  const owned = `exists (
    select 1 from workspace_members o
    where o.workspace_id = t.workspace_id and o.user_id = ${maker} and o.role in (${rolesSql('own')}))`
  return `exists (${shared} and ${owned}) and not exists (${shared} and not ${owned})`
}

/**
 * Makes a one-time link by which a member sets a new password (contract §2: no mail is sent). Only an owner of every
 * workspace that the member is in may make one, as whoever holds the link can become the member.
 */
export async function makeResetLink(ctx: AuthContext, workspaceId: string, userId: string) {
  const { principal, db } = ctx
  requireWholeWorkspace(ctx)
  ctx.trail.resourceIds = [userId]
  const { role } = await visibleWorkspace(ctx, workspaceId)
  if (!ROLES_THAT.own.includes(role)) throw forbidden('Only an owner makes reset links.')
  const member = await memberOf(ctx, workspaceId, userId)
  // Whoever got hold of a session must not get hold of the account with it (as with a change of the password).
  if (userId === principal.userId) throw forbidden('You change your own password with the one that you have.')
  if (member.kind === 'service') throw invalid('user_id', 'service_account', 'A service account has no password.')
  if (!(await db.first(`select 1 where ${mayReset('?1', '?2')}`, principal.userId, userId)))
    throw forbidden('This member is in a workspace that is not yours, too.')
  const { token, hash } = await ctx.tokens.mint('rcp', principal.routingId, ctx.random)
  const now = ctx.now()
  await db.batch([
    db.statement('update password_resets set used_at = ? where user_id = ? and used_at is null', now, userId),
    db.statement(
      `insert into password_resets (token_hash, tenant_id, user_id, created_by, created_at, expires_at)
       values (?, ?, ?, ?, ?, ?)`,
      hash,
      principal.tenantId,
      userId,
      principal.userId,
      now,
      now + LIFE_MS,
    ),
    auditStatement(ctx, 'members.make_reset_link'),
  ])
  return {
    reset_url: `${ctx.client.origin}/portal/reset-password?token=${token}`,
    expires_at: iso(now + LIFE_MS),
  }
}

export const makeResetLinkEndpoint = endpoint({
  method: 'post',
  path: '/v1/workspaces/{id}/members/{user_id}/reset-link',
  tag: 'members',
  summary: 'Make a password reset link for a member',
  description: 'For owners. The link works once within 24 hours; hand it over yourself, as no mail is sent.',
  auth: 'session',
  scope: 'admin:workspace',
  limit: 'write',
  audit: 'members.make_reset_link',
  params: MemberParams,
  reply: { 201: ResetLinkSchema },
  errors: ['not_found', 'forbidden'],
  idempotent: {
    mode: 'claimed',
    resource: (link: z.infer<typeof ResetLinkSchema>) => link.expires_at,
    replay: async (_, expires_at) => ({ reset_url: null, expires_at }),
  },
}).handle(({ ctx, params }) => makeResetLink(ctx, params.id, params.user_id))
