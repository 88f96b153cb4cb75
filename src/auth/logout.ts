import type { AuthContext } from '../core/context.ts'
import { endpoint } from '../core/http/endpoint.ts'
import { endSessions } from './sessions/end-sessions.ts'

/** Ends the caller's session. */
export async function logout(ctx: AuthContext): Promise<void> {
  const { id } = ctx.principal.credential
  ctx.trail.resourceIds = [id]
  await endSessions(ctx, [id], 'auth.logout')
}

export const logoutEndpoint = endpoint({
  method: 'post',
  path: '/auth/logout',
  operationId: 'logOut',
  tag: 'sessions',
  summary: 'Log out',
  auth: 'session',
  scope: null,
  limit: 'write',
  audit: 'auth.logout',
  reply: { 204: null },
  example: {},
}).handle(({ ctx }) => logout(ctx))
