import { z } from '@hono/zod-openapi'
import { and, eq } from 'drizzle-orm'
import { auditInsert, auditRow, enqueueAuditRow, type AuditOutcome } from '../audit/index.ts'
import { readBody } from '../core/http/body.ts'
import type { RequestContext } from '../core/context.ts'
import { query } from '../core/database/query.ts'
import { sql } from '../core/database/sql.ts'
import { endpoint } from '../core/http/endpoint.ts'
import { AppError, isAppError } from '../core/errors.ts'
import { addressSubject } from '../limits/index.ts'
import { findAccount, normalizeEmail, type Account } from './directory/accounts.ts'
import { loginSource, permitsOf, type LoginSource } from './known-devices.ts'
import { LOGIN_FORM, MAX_LOGIN_FORM_BYTES } from './login-form.ts'
import { bearerChallenge } from './oauth/bearer-challenge.ts'
import { apiResource } from './oauth/resources.ts'
import { acquireAttempt } from './passwords/acquire-attempt.ts'
import { hashPassword, verifyPassword } from './passwords/password.ts'
import { newSession, SESSION_SECONDS, type NewSession, type SessionUser } from './sessions/new-session.ts'
import { commitThenSend } from '../core/work.ts'
import { shardOf } from '../core/shards.ts'
import { users, type sessions } from './table.ts'
import type { RowOf } from '../core/database/row.ts'

export interface LoggedIn extends SessionUser {
  session: NewSession
}

/**
 * Checks an e-mail address and a password and makes a session (contract §2). A wrong address and a wrong
 * password answer the same 401 in the same time. 429 past the limits of the device or network. The caller applies the
 * limit of the network address, as `limit: 'login'` in an endpoint's declaration does.
 */
export async function login(
  ctx: RequestContext,
  input: { email: string; password: string; deviceToken?: string | undefined },
): Promise<LoggedIn> {
  const email = normalizeEmail(input.email)
  const source = await loginSource(ctx, email, input.deviceToken ?? '')
  const attempt = await acquireAttempt(ctx, await permitsOf(ctx, email, source)).catch((error: unknown) => {
    if (source.account && isAppError(error) && error.code === 'rate_limited')
      auditFailure(ctx, source.account, 'rate_limited')
    throw error
  })
  const attemptLogin = (from: LoginSource) => checkAndOpen(ctx, from, input.password)
  // A login at the same time may have rehashed the same password: the second try reads that hash.
  const loggedIn =
    (await attemptLogin(source)) ?? (await attemptLogin({ ...source, account: await findAccount(ctx, email) }))
  if (!loggedIn) throw wrongLogin(ctx.client.origin)
  ctx.waitUntil(attempt.release())
  return loggedIn
}

/** Null where the stored hash was replaced while the password was compared with it. */
async function checkAndOpen(
  ctx: RequestContext,
  { account, device }: LoginSource,
  password: string,
): Promise<LoggedIn | null> {
  const check = await verifyPassword(ctx, password, account?.password_hash ?? null)
  if (!account || !check.matches) {
    if (account) auditFailure(ctx, account, 'unauthenticated')
    throw wrongLogin(ctx.client.origin)
  }
  const loggedIn = await openSession(ctx, account, device)
  if (loggedIn && check.outdated) ctx.waitUntil(rehash(ctx, account, password))
  return loggedIn
}

/** Commits the session; null where the password was changed or the user was deleted since the check. */
async function openSession(
  ctx: RequestContext,
  account: Account,
  device: LoginSource['device'],
): Promise<LoggedIn | null> {
  const db = ctx.database(shardOf(account.routing_id))
  const user = { userId: account.id, tenantId: account.tenant_id, routingId: account.routing_id }
  const unchanged = sql(
    'exists (select 1 from users where id = :user and password_hash = :password_hash and deleted_at is null)',
    { user: account.id, password_hash: account.password_hash },
  )
  const { statement, ...session } = await newSession(ctx, db, { ...user, device }, unchanged)
  const isStored = 'exists (select 1 from sessions where id = :session)'
  const stored = { session: session.id }
  const row = auditRow(ctx, { ...actorOf(ctx, account, session.id), outcome: 'success' })
  const [opened] = await commitThenSend<[RowOf<typeof sessions, 'id'>, never, never]>(ctx, db, [
    statement,
    auditInsert(ctx, db, row, sql(isStored, stored)),
    ctx.notification(
      db,
      {
        tenantId: user.tenantId,
        userId: user.userId,
        code: 'session.new_device',
        message: 'Someone logged in to your account from a device that you had not used before.',
        about: { session_id: session.id },
      },
      sql(`${isStored} and exists (${OTHERS}) and not exists (${OTHERS} and s.user_agent = n.user_agent)`, stored),
    ),
  ])
  if (opened.length === 0) return null
  return { ...user, session }
}

/** The user's sessions other than the new one. A user agent identifies a device. A session of a reset link logged in to nothing. */
const OTHERS = `select 1 from sessions n join sessions s on s.user_id = n.user_id and s.id <> n.id
  and s.expires_at > s.created_at where n.id = :session`

const actorOf = (ctx: RequestContext, account: Account, sessionId: string) => ({
  action: 'auth.login',
  requestId: ctx.requestId,
  principal: {
    userId: account.id,
    tenantId: account.tenant_id,
    credential: { kind: sessionId ? 'session' : 'password', id: sessionId, environment: null, appId: null },
  },
})

const auditFailure = (ctx: RequestContext, account: Account, outcome: AuditOutcome): void =>
  enqueueAuditRow(ctx, shardOf(account.routing_id), auditRow(ctx, { ...actorOf(ctx, account, ''), outcome }))

/** It runs after the answer, so that the time does not tell whether there is an account. */
async function auditRefusal(ctx: RequestContext, email: string): Promise<void> {
  const account = await findAccount(ctx, email)
  if (account) auditFailure(ctx, account, 'rate_limited')
}

/**
 * Audits a login that the limit of its network address refused, in the log of its account. The look-up needs a permit
 * of the address's other calls, so that a flood of logins costs no more than these may.
 */
async function auditLimited(ctx: RequestContext, request: Request): Promise<void> {
  const { admitted } = await ctx.limiter.acquire('anonymous', addressSubject(ctx.client.ip))
  if (!admitted) return
  const sent = await readBody(request, MAX_LOGIN_FORM_BYTES).catch(() => null)
  const form = Login.safeParse(Object.fromEntries(new URLSearchParams(new TextDecoder().decode(sent ?? undefined))))
  if (form.success) ctx.waitUntil(auditRefusal(ctx, normalizeEmail(addressOf(form.data))))
}

const replaceHash = query((db, change: { id: string; before: string; after: string }) =>
  db
    .update(users)
    .set({ password_hash: change.after })
    .where(and(eq(users.id, change.id), eq(users.password_hash, change.before))),
)

/** Rehashes the password with the current parameters and pepper; a change at the same time wins. */
async function rehash(ctx: RequestContext, account: Account, password: string): Promise<void> {
  if (account.password_hash === null) return
  const hash = await hashPassword(ctx, password)
  const change = { id: account.id, before: account.password_hash, after: hash }
  await ctx.database(shardOf(account.routing_id)).write(replaceHash, change)
}

const wrongLogin = (origin: string): AppError =>
  new AppError('unauthenticated', {
    detail: 'The e-mail address or the password is wrong.',
    headers: { 'WWW-Authenticate': bearerChallenge(apiResource(origin)) },
  })

const Login = z
  .strictObject({
    username: z.string().min(1).max(320).optional().meta({ description: 'The e-mail address.' }),
    email: z.string().min(1).max(320).optional().meta({ description: 'The same as `username`.' }),
    password: z.string().min(1),
    device_token: z.string().max(200).optional().meta({ description: 'From an earlier login on this device.' }),
  })
  .refine((form) => (form.username === undefined) !== (form.email === undefined), {
    path: ['username'],
    message: 'Send `username` (or `email`), once.',
    params: { code: 'required' },
  })

const addressOf = ({ username, email }: z.output<typeof Login>): string => username ?? email ?? ''

export const deviceToken = z.string().meta({
  description: 'Opaque, and not a credential. Send it with the next login from this device.',
  examples: ['rcd_…'],
})

export const LoginReply = z
  .object({
    session_token: z.string().meta({ examples: ['rcs_…'] }),
    expires_in: z.literal(SESSION_SECONDS).meta({ description: 'Seconds.' }),
    device_token: deviceToken,
  })
  .openapi('SessionToken')
export type LoginReply = z.infer<typeof LoginReply>

export const SAMPLE_LOGIN: LoginReply = { session_token: 'rcs_…', expires_in: SESSION_SECONDS, device_token: 'rcd_…' }

export const loginReply = ({ token, deviceToken }: NewSession): LoginReply => ({
  session_token: token,
  expires_in: SESSION_SECONDS,
  device_token: deviceToken,
})

export const loginEndpoint = endpoint({
  ...LOGIN_FORM,
  path: '/auth/login',
  operationId: 'logIn',
  refusals: { required: 'neither or both of `username` and `email` are sent' },
  summary: 'Log in',
  description:
    'Returns a session token for the header `X-Session-Token`, valid for 24 hours. Failed logins elsewhere do not delay a device that sends its `device_token`.',
  onLimited: auditLimited,
  body: Login,
  reply: { 200: LoginReply },
  errors: ['unauthenticated'],
  example: { body: { username: 'ada@example.com', password: 'correct horse battery' }, reply: SAMPLE_LOGIN },
}).handle(async ({ ctx, body }) => {
  const { session } = await login(ctx, {
    email: addressOf(body),
    password: body.password,
    deviceToken: body.device_token,
  })
  return loginReply(session)
})
