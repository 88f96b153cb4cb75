import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { AppError } from '../../core/errors.ts'
import { noSuchUser, toUser, userById, UserSchema, type User, SAMPLE_USER } from './user.ts'

/** 403 `user_context_required` for a workspace's key, which acts for no person (contract §2). */
export function requirePerson(ctx: AuthContext): void {
  ctx.trail.resourceIds = [ctx.principal.userId]
  if (ctx.principal.kind === 'person') return
  throw new AppError('user_context_required', { detail: 'A workspace key does not act for a user.' })
}

/** The caller's profile. */
export async function getMe(ctx: AuthContext): Promise<User> {
  requirePerson(ctx)
  const row = await ctx.db.first(userById, { id: ctx.principal.userId })
  if (!row) throw noSuchUser()
  return toUser(ctx, ctx.db, row)
}

export const getMeEndpoint = endpoint({
  method: 'get',
  path: '/api/users/me',
  operationId: 'getMe',
  tag: 'users',
  summary: 'Get your profile',
  scope: 'read:profile',
  limit: 'read',
  audit: 'users.get',
  reply: { 200: UserSchema },
  errors: ['user_context_required'],
  example: { reply: SAMPLE_USER },
}).handle(({ ctx }) => getMe(ctx))
