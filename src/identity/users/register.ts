import { z } from '@hono/zod-openapi'
import { auditInsert, auditRow } from '../../audit/index.ts'
import {
  directoryDatabase,
  Email,
  hashPassword,
  LoginReply,
  NewPassword,
  newSession,
  SESSION_SECONDS,
  type NewSession,
} from '../../auth/index.ts'
import type { Visit } from '../../core/context.ts'
import { violatedConstraint } from '../../core/db.ts'
import { endpoint } from '../../core/endpoint.ts'
import { AppError } from '../../core/errors.ts'
import { text } from '../../core/fields.ts'
import { newAccount } from '../account.ts'
import { toUser, USER_COLUMNS, UserSchema, type User, type UserRow } from './user.ts'

export const Registration = z.strictObject({
  email: Email,
  password: NewPassword,
  name: text(1, 120),
})

export interface Registered {
  user: User
  session: NewSession
}

/**
 * Makes a tenant with its first user, a workspace "Personal", a project "Default", and a session (contract §2).
 * 403 where sign-ups are closed, 409 `email_taken`.
 */
export async function register(visit: Visit, input: z.output<typeof Registration>): Promise<Registered> {
  if (!visit.config.signupsOpen) throw new AppError('forbidden', { detail: 'Sign-ups are closed here.' })
  await refuseTaken(visit, input.email)
  const passwordHash = await hashPassword(visit, input.password)
  const shard = visit.shards[0] ?? '00'
  const db = visit.database(shard)
  const { ids, statements } = newAccount(visit, db, shard, { ...input, passwordHash })
  const { statement, ...session } = await newSession(visit, db, ids)
  const row = auditRow(visit, {
    action: 'auth.register',
    outcome: 'success',
    requestId: visit.requestId,
    principal: { ...ids, credential: { kind: 'session', id: session.id, environment: null, appId: null } },
    trail: { resourceIds: [ids.userId], projectId: ids.projectId, workspaceId: ids.workspaceId },
  })
  await commit(() => db.batch([...statements, statement, auditInsert(visit, db, row)]))
  const user = await db.first<UserRow>(`select ${USER_COLUMNS} from users where id = ?`, ids.userId)
  if (!user) throw new Error('a user that was just made is there')
  return { user: toUser(user), session }
}

/** Spares the hash where the answer is clear; the unique index decides the race. */
async function refuseTaken(visit: Visit, email: string): Promise<void> {
  if (await directoryDatabase(visit).first('select 1 from directory where email = ?', email)) throw emailTaken()
}

async function commit(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw violatedConstraint(error) === 'directory.email' ? emailTaken() : error
  }
}

const emailTaken = (): AppError =>
  new AppError('email_taken', { detail: 'There is an account with this e-mail address.' })

export const registerEndpoint = endpoint({
  method: 'post',
  path: '/auth/register-user',
  tag: 'sessions',
  summary: 'Sign up',
  description: 'Makes a tenant, a workspace "Personal", a project "Default" and a session.',
  auth: 'none',
  scope: null,
  limit: 'login',
  audit: null,
  maxBytes: 64 * 1024,
  bodyType: 'form',
  body: Registration,
  reply: { 201: LoginReply.extend({ user: UserSchema }).openapi('Registration') },
  errors: ['email_taken', 'forbidden'],
  example: { body: { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' } },
}).handle(async ({ ctx, body }) => {
  const { user, session } = await register(ctx, body)
  return { user, session_token: session.token, expires_in: SESSION_SECONDS }
})
