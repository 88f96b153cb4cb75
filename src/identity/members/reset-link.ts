import { z } from '@hono/zod-openapi'
import { auditStatement } from '../../audit/index.ts'
import { iso } from '../../core/clock.ts'
import type { Ctx } from '../../core/context.ts'
import type { Statement } from '../../core/db.ts'
import { endpoint } from '../../core/endpoint.ts'
import { invalid } from '../../core/errors.ts'
import { timestamp } from '../../core/fields.ts'
import { forbidden, ROLES_THAT, rolesSql } from '../access.ts'
import { requireWholeWorkspace, visibleWorkspace } from '../workspaces/workspace.ts'
import { memberOf, MemberParams } from './member.ts'

const LIFE_MS = 24 * 3_600_000

export const ResetLinkSchema = z
  .object({
    reset_url: z.string().nullable().meta({ description: 'Shown in this answer alone; works once.' }),
    expires_at: timestamp,
  })
  .openapi('ResetLink')

/** Workspaces of a member in which the caller is no owner: with one of them the link would lend foreign rights. */
const BEYOND = `
  select 1 from workspace_members t join workspaces w on w.id = t.workspace_id and w.deleted_at is null
  where t.user_id = ? and not exists (
    select 1 from workspace_members o where o.workspace_id = t.workspace_id and o.user_id = ? and o.role = 'owner')`

/**
 * Makes a one-time link by which a member sets a new password (contract §2: no mail is sent). Only an owner of every
 * workspace that the member is in may make one, as whoever holds the link can become the member.
 */
export async function makeResetLink(ctx: Ctx, workspaceId: string, userId: string) {
  const { principal, db } = ctx
  requireWholeWorkspace(ctx)
  ctx.trail.resourceIds = [userId]
  const { role } = await visibleWorkspace(ctx, workspaceId)
  if (!ROLES_THAT.own.includes(role)) throw forbidden('Only an owner makes reset links.')
  const member = await memberOf(ctx, workspaceId, userId)
  if (member.kind === 'service') throw invalid('user_id', 'service_account', 'A service account has no password.')
  if (await db.first(BEYOND, userId, principal.userId))
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

/** The statement that ends the links of somebody who is no owner of the workspace any more. */
export const endResetLinks = (ctx: Ctx, workspaceId: string, ownerId: string): Statement =>
  ctx.db.statement(
    `delete from password_resets where created_by = ?1 and not exists (
       select 1 from workspace_members where workspace_id = ?2 and user_id = ?1 and role in (${rolesSql('own')}))`,
    ownerId,
    workspaceId,
  )

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
