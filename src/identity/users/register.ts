import { z } from '@hono/zod-openapi'
import { eq } from 'drizzle-orm'
import { auditInsert, auditRow } from '../../audit/index.ts'
import {
  directoryDatabase,
  Email,
  hashPassword,
  LoginReply,
  loginReply,
  NewPassword,
  newSession,
  type NewSession,
} from '../../auth/index.ts'
import { directory } from '../../auth/table.ts'
import type { RequestContext } from '../../core/context.ts'
import { brokeForeignKey, violatedConstraint } from '../../core/database/database.ts'
import { query } from '../../core/database/query.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { AppError } from '../../core/errors.ts'
import { text } from '../../core/http/fields.ts'
import { newAccount } from './new-account.ts'
import { badInvitation, invitedAccount, openInvitation } from '../invitations/invited-account.ts'
import { answerNotice } from '../invitations/received.ts'
import { toUser, userById, UserSchema, type User } from './user.ts'

export const Registration = z.strictObject({
  email: Email,
  password: NewPassword,
  name: text(1, 120),
  invitation: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'The token of an invitation URL: joins that tenant instead of making one.' }),
})

export interface Registered {
  user: User
  session: NewSession
}

/**
 * Makes a tenant with its first user, a workspace "Personal", a project "Default", and a session (contract §2). With an
 * invitation the user joins its tenant and workspace instead, also where sign-ups are closed (403 without one).
 * 409 `email_taken`, 422 for an invitation that is not open or is for another address.
 */
export async function register(ctx: RequestContext, input: z.output<typeof Registration>): Promise<Registered> {
  if (input.invitation === undefined && !ctx.config.signupsOpen)
    throw new AppError('forbidden', { detail: 'Sign-ups are closed here.' })
  const invitation = input.invitation === undefined ? null : await openInvitation(ctx, input.invitation, input.email)
  await refuseTaken(ctx, input.email)
  const account = { ...input, passwordHash: await hashPassword(ctx, input.password) }
  const shard = invitation?.shard ?? ctx.shards[0] ?? '00'
  const db = ctx.database(shard)
  const { ids, statements } = invitation
    ? invitedAccount(ctx, db, invitation, account)
    : newAccount(ctx, db, shard, account)
  const { statement, ...session } = await newSession(ctx, db, ids)
  const row = auditRow(ctx, {
    action: invitation ? 'invitations.accept' : 'auth.register',
    outcome: 'success',
    requestId: ctx.requestId,
    principal: { ...ids, credential: { kind: 'session', id: session.id, environment: null, appId: null } },
    trail: { resourceIds: [ids.userId], projectId: null, workspaceId: ids.workspaceId },
  })
  const made = 'exists (select 1 from invitations where id = ?)'
  const notice = invitation ? [answerNotice(ctx, db, invitation, 'accepted', made, invitation.id)] : []
  const [notices = []] = await commit(() =>
    db.batch<{ id: string }[]>([...notice, ...statements, statement, auditInsert(ctx, db, row)]),
  )
  // A sweep sends what is lost here.
  if (invitation) ctx.waitUntil(ctx.queues.send('events', [{ ids: notices.map(({ id }) => id) }]))
  const user = await db.first(userById, { id: ids.userId })
  if (!user) throw new Error('a user that was just made is there')
  return { user: toUser(user), session }
}

const entryOf = query((db, by: { email: string }) =>
  db.select({ user_id: directory.user_id }).from(directory).where(eq(directory.email, by.email)),
)

/** Refuses a taken address before the costly password hash. The unique index decides between two requests at once. */
async function refuseTaken(ctx: RequestContext, email: string): Promise<void> {
  if (await directoryDatabase(ctx).first(entryOf, { email })) throw emailTaken()
}

async function commit<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violatedConstraint(error) === 'directory.email') throw emailTaken()
    throw brokeForeignKey(error) ? badInvitation() : error
  }
}

const emailTaken = (): AppError =>
  new AppError('email_taken', { detail: 'There is an account with this e-mail address.' })

export const registerEndpoint = endpoint({
  method: 'post',
  path: '/auth/register-user',
  tag: 'sessions',
  summary: 'Sign up',
  description:
    'Makes a tenant, a workspace "Personal", a project "Default" and a session. With an invitation: joins its workspace.',
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
  return { user, ...loginReply(session) }
})
