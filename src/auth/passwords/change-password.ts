import { z } from '@hono/zod-openapi'
import { and, eq, isNull } from 'drizzle-orm'
import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { query } from '../../core/database/query.ts'
import { sql } from '../../core/database/sql.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { AppError } from '../../core/errors.ts'
import { endCredentials } from '../credentials/end-credentials.ts'
import { commitThenDeny } from '../credentials/deny-and-commit.ts'
import { users } from '../table.ts'
import { hashPassword, NewPassword } from './password.ts'
import { reauthenticate } from './reauthenticate.ts'
import type { RowOf } from '../../core/database/row.ts'

export const ChangePassword = z.strictObject({
  current_password: z.string().min(1),
  new_password: NewPassword,
  keep_keys: z.boolean().default(false).meta({ description: 'Keep your API keys.' }),
})

const replacePassword = query((db, change: { id: string; before: string; after: string; now: number }) =>
  db
    .update(users)
    .set({ password_hash: change.after, updated_at: change.now })
    .where(and(eq(users.id, change.id), eq(users.password_hash, change.before), isNull(users.deleted_at)))
    .returning({ id: users.id }),
)

/** Sets another password and ends all other sessions, all grants and, unless `keep_keys`, the user's keys (contract §2). */
export async function changePassword(ctx: AuthContext, input: z.output<typeof ChangePassword>): Promise<void> {
  const { userId, routingId, credential } = ctx.principal
  const before = await reauthenticate(ctx, input.current_password, 'current_password')
  const after = await hashPassword(ctx, input.new_password)
  const changed = sql('exists (select 1 from users where id = :caller and password_hash = :password_hash)', {
    caller: userId,
    password_hash: after,
  })
  const ending = { userId, routingId, exceptSession: credential.id, keepKeys: input.keep_keys }
  ctx.trail.resourceIds = [userId]
  const [[user]] = await commitThenDeny<[RowOf<typeof users, 'id'>, never]>(ctx, ctx.db, [
    ctx.db.statement(replacePassword, { id: userId, before, after, now: ctx.now() }),
    auditStatement(ctx, 'auth.change_password', changed),
    ...endCredentials(ctx, ctx.db, ending, changed),
  ])
  if (!user) {
    ctx.trail.committed = false
    throw new AppError('conflict', { detail: 'Another request changed the password at the same time.' })
  }
}

export const changePasswordEndpoint = endpoint({
  method: 'post',
  path: '/v1/users/me/password',
  operationId: 'changePassword',
  refusals: { wrong_password: 'the password is wrong' },
  tag: 'users',
  summary: 'Change the password',
  description: 'Ends all other sessions, all grants to applications and, unless `keep_keys` is true, your API keys.',
  auth: 'session',
  scope: null,
  limit: 'write',
  audit: 'auth.change_password',
  body: ChangePassword,
  reply: { 204: null },
  errors: ['conflict'],
  example: { body: { current_password: 'correct horse battery', new_password: 'staple or something else' } },
}).handle(({ ctx, body }) => changePassword(ctx, body))
