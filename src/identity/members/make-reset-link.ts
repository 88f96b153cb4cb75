import { z } from '@hono/zod-openapi'
import { and, eq, isNull } from 'drizzle-orm'
import { auditStatement } from '../../audit/index.ts'
import { password_resets } from '../../auth/table.ts'
import { iso } from '../../core/values/clock.ts'
import type { AuthContext } from '../../core/context.ts'
import { query, wholeRow } from '../../core/database/query.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { invalid } from '../../core/errors.ts'
import { timestamp } from '../../core/http/fields.ts'
import { forbidden, rolesSql } from '../access.ts'
import { requireWholeWorkspace, visibleWorkspace } from '../workspaces/workspace.ts'
import { memberOf, MemberParams } from './member.ts'

const LIFE_MS = 24 * 3_600_000

export const ResetLinkSchema = z
  .object({
    reset_url: z.string().nullable().meta({ description: 'Shown in this response only; works once.' }),
    expires_at: timestamp,
  })
  .openapi('ResetLink')
export type ResetLink = z.infer<typeof ResetLinkSchema>

/**
 * Whether `maker` may make a reset link for `member` (both as SQL), when it is made and when it is used (contract §2).
 * They share a workspace, and the maker owns the tenant, or all workspaces of the member and the one through which the
 * member's account came to exist. Nobody makes one for the owner of the tenant, as it would lead to all other people.
 */
export const mayReset = (maker: string, member: string): string => {
  const membership = `
    select 1 from workspace_members t join workspaces w on w.id = t.workspace_id and w.deleted_at is null
    where t.user_id = ${member}`
  const makerIn = (workspace: string, roles: string) => `exists (
    select 1 from workspace_members o
    where o.workspace_id = ${workspace} and o.user_id = ${maker} and o.role in (${roles}))`
  const owned = makerIn('t.workspace_id', rolesSql('own'))
  const tenantOwner = `(
    select n.owner_id from users z join tenants n on n.id = z.tenant_id where z.id = ${member})`
  const origin = `exists (
    select 1 from users z join workspaces w on w.id = z.joined_through and w.deleted_at is null
    where z.id = ${member} and ${makerIn('w.id', rolesSql('own'))})`
  return `exists (${membership} and ${makerIn('t.workspace_id', rolesSql('read'))})
    and ${tenantOwner} is not ${member}
    and (${tenantOwner} = ${maker} or (not exists (${membership} and not ${owned}) and ${origin}))`
}

const useUpLinks = query((db, by: { user: string; now: number }) =>
  db
    .update(password_resets)
    .set({ used_at: by.now })
    .where(and(eq(password_resets.user_id, by.user), isNull(password_resets.used_at))),
)

const insertLink = query((db, row: typeof password_resets.$inferSelect) =>
  db.insert(password_resets).values(wholeRow(password_resets, row)),
)

/**
 * Makes a one-time link by which a member sets a new password (contract §2: no mail is sent). Whoever holds the link can
 * log in as the member, so few may make one: `mayReset` says who.
 */
export async function makeResetLink(ctx: AuthContext, workspaceId: string, userId: string) {
  const { principal, db } = ctx
  requireWholeWorkspace(ctx)
  ctx.trail.resourceIds = [userId]
  await visibleWorkspace(ctx, workspaceId)
  const member = await memberOf(ctx, workspaceId, userId)
  // A stolen session must not lead to the password, so no link is made for oneself.
  if (userId === principal.userId) throw forbidden('You change your own password with the one that you have.')
  if (member.kind === 'service') throw invalid('user_id', 'service_account', 'A service account has no password.')
  if (!(await db.first(`select 1 where ${mayReset('?1', '?2')}`, principal.userId, userId)))
    throw forbidden(
      'Only the owner of the tenant makes this link, or an owner of all that this member came through or is in.',
    )
  const { token, hash } = await ctx.tokens.mint('rcp', principal.routingId, ctx.random)
  const now = ctx.now()
  await db.batch([
    db.statement(useUpLinks, { user: userId, now }),
    db.statement(insertLink, {
      token_hash: hash,
      tenant_id: principal.tenantId,
      user_id: userId,
      created_by: principal.userId,
      created_at: now,
      expires_at: now + LIFE_MS,
      used_at: null,
    }),
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
  description:
    'For the owner of the tenant, and for whoever owns all workspaces of the member and the one whose invitation made the account. The link works once within 24 hours; hand it over yourself, as no mail is sent.',
  auth: 'session',
  scope: 'admin:workspace',
  limit: 'write',
  audit: 'members.make_reset_link',
  params: MemberParams,
  reply: { 201: ResetLinkSchema },
  errors: ['not_found', 'forbidden'],
  idempotent: {
    mode: 'claimed',
    resource: (link: ResetLink) => link.expires_at,
    replay: async (_, expires_at) => ({ reset_url: null, expires_at }),
  },
}).handle(({ ctx, params }) => makeResetLink(ctx, params.id, params.user_id))
