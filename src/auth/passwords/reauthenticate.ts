import type { AuthContext } from '../../core/context.ts'
import { invalid } from '../../core/errors.ts'
import { acquireAttempt } from '../login.ts'
import { verifyPassword } from './password.ts'

/**
 * Asks a logged-in user for the password once more, and answers the hash that it was held against. Wrong: 422 at `path`.
 * Its back-off is not that of logins, so that nobody outside can keep the user from it.
 */
export async function reauthenticate(ctx: AuthContext, password: string, path: string): Promise<string> {
  const { userId } = ctx.principal
  const attempt = await acquireAttempt(ctx, `again:${userId}`)
  const row = await ctx.db.first<{ password_hash: string | null }>(
    'select password_hash from users where id = ? and deleted_at is null',
    userId,
  )
  const stored = row?.password_hash ?? null
  const { matches } = await verifyPassword(ctx, password, stored)
  if (!matches || stored === null) throw invalid(path, 'wrong_password', 'The password is wrong.')
  ctx.waitUntil(attempt.release())
  return stored
}
