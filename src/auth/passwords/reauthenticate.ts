import { and, eq, isNull } from 'drizzle-orm'
import type { AuthContext } from '../../core/context.ts'
import { query } from '../../core/database/query.ts'
import { invalid } from '../../core/errors.ts'
import { users } from '../table.ts'
import { acquireAttempt, attemptsOf } from './acquire-attempt.ts'
import { verifyPassword } from './password.ts'

const passwordHashOf = query((db, by: { id: string }) =>
  db
    .select({ password_hash: users.password_hash })
    .from(users)
    .where(and(eq(users.id, by.id), isNull(users.deleted_at))),
)

/**
 * Asks a logged-in user for the password once more, and answers its stored hash. 422 at `path` for a wrong password.
 * Its back-off is not the one of logins, so that no stranger can block the user.
 */
export async function reauthenticate(ctx: AuthContext, password: string, path: string): Promise<string> {
  const { userId } = ctx.principal
  const attempt = await acquireAttempt(ctx, attemptsOf(`again:${userId}`))
  const row = await ctx.db.first(passwordHashOf, { id: userId })
  const stored = row?.password_hash ?? null
  const { matches } = await verifyPassword(ctx, password, stored)
  if (!matches || stored === null) throw invalid(path, 'wrong_password', 'The password is wrong.')
  ctx.waitUntil(attempt.release())
  return stored
}
