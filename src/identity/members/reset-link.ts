import { z } from '@hono/zod-openapi'
import { auditStatement } from '../../audit/index.ts'
import { iso } from '../../core/values/clock.ts'
import type { AuthContext } from '../../core/context.ts'
import { joined, sql, type Sql } from '../../core/database/sql.ts'
import { timestamp } from '../../core/http/fields.ts'
import { settleStatement } from '../../core/idempotency/settlement.ts'
import { commitThenSend } from '../../core/work.ts'
import { rolesSql } from '../access.ts'
import type { RowOf } from '../../core/database/row.ts'
import type { password_resets } from '../../auth/table.ts'
import { SAMPLE_ORIGIN } from '../../core/sample.ts'
import { DAY_MS } from '../../core/values/durations.ts'

const LIFE_MS = DAY_MS

export const ResetLinkSchema = z
  .object({
    reset_url: z.string().nullable().meta({ description: 'Shown in this response only. Works once.' }),
    expires_at: timestamp,
  })
  .openapi('ResetLink')
export type ResetLink = z.infer<typeof ResetLinkSchema>

export const SAMPLE_RESET_LINK: ResetLink = {
  reset_url: `${SAMPLE_ORIGIN}/portal/reset-password?token=rcp_…`,
  expires_at: '2026-11-22T09:30:00.000Z',
}

/** The answer to a repeated request: what its key kept is the expiry. */
export const replayResetLink = async (_: AuthContext, expires_at: string): Promise<ResetLink> => ({
  reset_url: null,
  expires_at,
})

/**
 * Whether `maker` may make a reset link for `person` (both as SQL), when it is made and when it is used (contract §2).
 * The maker owns the tenant of the person; or they share a workspace, and the maker owns all workspaces of the person and
 * the one through which the account came to exist. Nobody makes one for the owner of the tenant, as it would lead to all
 * other people.
 */
export const mayReset = (maker: string, person: string): string => {
  const membership = `
    select 1 from workspace_members t join workspaces w on w.id = t.workspace_id and w.deleted_at is null
    where t.user_id = ${person}`
  const makerIn = (workspace: string, roles: string) => `exists (
    select 1 from workspace_members o
    where o.workspace_id = ${workspace} and o.user_id = ${maker} and o.role in (${roles}))`
  const owned = makerIn('t.workspace_id', rolesSql('own'))
  const tenantOwner = `(
    select n.owner_id from users z join tenants n on n.id = z.tenant_id where z.id = ${person})`
  const origin = `exists (
    select 1 from users z join workspaces w on w.id = z.joined_through and w.deleted_at is null
    where z.id = ${person} and ${makerIn('w.id', rolesSql('own'))})`
  return `${tenantOwner} is not ${person} and (${tenantOwner} = ${maker} or (
    exists (${membership}) and not exists (${membership} and not ${owned}) and ${origin}))`
}

/**
 * Makes a one-time link by which a person sets a new password (contract §2: no mail is sent), in place of older ones, and
 * tells the person. `onlyIf` is a condition for the commit; null where it does not hold.
 */
export async function newResetLink(
  ctx: AuthContext,
  userId: string,
  action: string,
  onlyIf: Sql,
): Promise<ResetLink | null> {
  const { principal, db } = ctx
  const { token, hash } = await ctx.tokens.mint('rcp', principal.routingId, ctx.random)
  const now = ctx.now()
  const expiresAt = now + LIFE_MS
  const made = sql('exists (select 1 from password_resets where token_hash = :hash)', { hash })
  const [[row]] = await commitThenSend<[RowOf<typeof password_resets, 'token_hash'>, ...never[]]>(ctx, db, [
    db.statement(
      `insert into password_resets (token_hash, tenant_id, user_id, created_by, created_at, expires_at)
       select :reset_hash, :reset_tenant, :reset_user, :reset_maker, :reset_at, :reset_expires_at
       where ${onlyIf.sql} returning token_hash`,
      joined(
        {
          reset_hash: hash,
          reset_tenant: principal.tenantId,
          reset_user: userId,
          reset_maker: principal.userId,
          reset_at: now,
          reset_expires_at: expiresAt,
        },
        onlyIf.params,
      ),
    ),
    db.statement(
      `update password_resets set used_at = :now
       where user_id = :user and used_at is null and token_hash <> :hash and ${made.sql}`,
      { now, user: userId, hash },
    ),
    auditStatement(ctx, action, made),
    settleStatement(ctx, iso(expiresAt), made),
    ctx.notification(
      db,
      {
        tenantId: principal.tenantId,
        userId,
        code: 'reset_link.created',
        message: 'A link to reset your password was created.',
        about: { made_by: principal.userId, expires_at: iso(expiresAt) },
      },
      made,
    ),
  ])
  if (!row) return null
  return { reset_url: `${ctx.client.origin}/portal/reset-password?token=${token}`, expires_at: iso(expiresAt) }
}
