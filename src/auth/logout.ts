import { auditStatement } from '../audit/index.ts'
import type { Ctx } from '../core/context.ts'
import { endpoint } from '../core/endpoint.ts'

/** Ends the caller's session: at its gate first, so that it is dead before the commit is (architecture §3). */
export async function logout(ctx: Ctx): Promise<void> {
  const { id } = ctx.principal.credential
  ctx.trail.resourceIds = [id]
  await ctx.hub(ctx.principal.routingId).deny({ ids: [id] })
  await ctx.db.batch([
    ctx.db.statement('update sessions set revoked_at = ? where id = ? and revoked_at is null', ctx.now(), id),
    auditStatement(ctx, 'auth.logout'),
  ])
}

export const logoutEndpoint = endpoint({
  method: 'post',
  path: '/auth/logout',
  tag: 'sessions',
  summary: 'Log out',
  auth: 'session',
  scope: null,
  limit: 'write',
  audit: 'auth.logout',
  reply: { 204: null },
}).handle(({ ctx }) => logout(ctx))
