import { z } from '@hono/zod-openapi'
import { auditInsert, auditRow } from '../../audit/index.ts'
import {
  addressFault,
  confirmAddress,
  Email,
  freeAddress,
  hashPassword,
  LOGIN_FORM,
  LoginReply,
  loginReply,
  NewPassword,
  newSession,
  requireFreeAddress,
  requireOpenRegion,
  reserveAddress,
  shardFailed,
  shardForNewTenant,
  type AddressEntry,
  type NewSession,
  SAMPLE_LOGIN,
} from '../../auth/index.ts'
import type { RequestContext } from '../../core/context.ts'
import { brokeForeignKey } from '../../core/database/d1-errors.ts'
import { sql, type Sql } from '../../core/database/sql.ts'
import { FIRST_SHARD, shardOf } from '../../core/shards.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { AppError, invalid, isAppError } from '../../core/errors.ts'
import { text } from '../../core/http/fields.ts'
import { locationOf } from '../../core/http/caller-location.ts'
import { REGIONS, type CallerLocation } from '../../core/regions.ts'
import { newAccount } from './new-account.ts'
import { invitationFault, invitedAccount, openInvitation } from '../invitations/invited-account.ts'
import { commitThenSend } from '../../core/work.ts'
import { answerNotice } from '../invitations/received.ts'
import { signUpsOf } from './sign-ups.ts'
import { toUser, userById, UserSchema, type User, SAMPLE_USER } from './user.ts'

export const Registration = z.strictObject({
  email: Email,
  password: NewPassword,
  name: text(1, 120),
  invitation: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'The token from an invitation URL. The account joins that tenant instead of creating one.' }),
  region: z.enum(REGIONS).optional().meta({
    description:
      'Where the tenant is stored, permanently, in a deployment with several regions. Default: the region nearest to the request.',
  }),
})

export interface Registered {
  user: User
  session: NewSession
}

/**
 * Makes a tenant with its first user, a workspace "Personal", a project "Default", and a session (contract §2). With an
 * invitation the user joins its tenant and workspace instead, also where sign-ups are closed (403 without one). With
 * `SIGNUPS=first` one person may register without an invitation; the write itself decides between two at once.
 * 409 `email_taken`, 409 `conflict` while a sign-up with the address is under way, 403 `quota_exceeded` for an invitation to a full workspace,
 * 422 for one that is not open or is for another address, and for a region that cannot be had.
 * `location`: where the request comes from, which decides where no region was chosen.
 */
export async function register(
  ctx: RequestContext,
  { region, ...input }: z.output<typeof Registration>,
  location: CallerLocation | null = null,
): Promise<Registered> {
  const signups = input.invitation === undefined ? await signUpsOf(ctx) : null
  if (signups === 'closed') throw signUpsClosed()
  if (signups === null && region !== undefined) throw regionOfTenant()
  requireOpenRegion(ctx, region, signups === 'first')
  const invitation = input.invitation === undefined ? null : await openInvitation(ctx, input.invitation, input.email)
  // Before the costly hash of the password. The unique index decides between two requests at once.
  await requireFreeAddress(ctx, input.email)
  const account = { ...input, passwordHash: await hashPassword(ctx, input.password) }
  // The first tenant of all is in the directory's shard, which alone decides which one that is.
  const shard =
    invitation?.shard ?? (signups === 'first' ? FIRST_SHARD : await shardForNewTenant(ctx, { region, location }))
  const db = ctx.database(shard)
  const { ids, statements } = invitation
    ? invitedAccount(ctx, db, invitation, account)
    : newAccount(ctx, db, shard, account, signups === 'first')
  const { statement, ...session } = await newSession(ctx, db, ids)
  const row = auditRow(ctx, {
    action: invitation ? 'invitations.accept' : 'auth.register',
    outcome: 'success',
    requestId: ctx.requestId,
    principal: { ...ids, credential: { kind: 'session', id: session.id, environment: null, appId: null } },
    trail: { resourceIds: [ids.userId], projectId: null, workspaceId: ids.workspaceId },
  })
  const notice = invitation ? [answerNotice(ctx, db, invitation, ['accepted', ids.userId], isThere(invitation.id))] : []
  const refused = async () =>
    input.invitation === undefined ? signUpsClosed() : invitationFault(ctx, input.invitation, input.email)
  await commit(ctx, { email: input.email, ...ids }, refused, () =>
    commitThenSend(ctx, db, [...notice, ...statements, statement, auditInsert(ctx, db, row)]),
  )
  const user = await db.first(userById, { id: ids.userId })
  if (!user) throw new Error('a user that was just made is there')
  return { user: toUser(ctx, db, user), session }
}

/**
 * Commits the account. In another shard than the directory's the address is reserved before and confirmed after, so whatever
 * breaks off between, the address is taken or free, and never lost. `refused`: what a foreign key of nothing means, an
 * invitation that has ended or is to a workspace that is full by now, or a first tenant that is there by now.
 */
async function commit<T>(
  ctx: RequestContext,
  entry: AddressEntry,
  refused: () => Promise<AppError>,
  work: () => Promise<T>,
): Promise<T> {
  await reserveAddress(ctx, entry)
  try {
    const committed = await work()
    ctx.waitUntil(confirmAddress(ctx, entry))
    return committed
  } catch (error) {
    const fault = (await addressFault(ctx, entry, error)) ?? (brokeForeignKey(error) ? await refused() : null)
    if (fault) ctx.waitUntil(freeAddress(ctx, entry))
    else if (isAppError(error) && error.status === 503) shardFailed(ctx, shardOf(entry.routingId), error)
    throw fault ?? error
  }
}

const isThere = (invitation: string): Sql =>
  sql('exists (select 1 from invitations where id = :invitation)', { invitation })

const regionOfTenant = (): AppError =>
  invalid('region', 'region_of_tenant', 'An invited user joins the tenant in its own region: omit region.')

const signUpsClosed = (): AppError => new AppError('forbidden', { detail: 'Sign-ups are closed here.' })

export const registerEndpoint = endpoint({
  ...LOGIN_FORM,
  path: '/auth/register-user',
  operationId: 'registerUser',
  refusals: {
    invalid_invitation: 'the invitation is unknown, used, withdrawn or expired',
    not_invited: 'the invitation is for another address',
    region_unavailable: 'the region does not accept new accounts',
    region_of_tenant: 'both an invitation and a region are sent: an invited user joins the region of the tenant',
  },
  summary: 'Sign up',
  description:
    'Creates a tenant, a workspace "Personal", a project "Default" and a session. With an invitation, joins its workspace instead.',
  body: Registration,
  reply: { 201: LoginReply.extend({ user: UserSchema }).openapi('Registration') },
  errors: ['email_taken', 'conflict', 'forbidden', 'quota_exceeded'],
  example: {
    body: { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' },
    reply: { ...SAMPLE_LOGIN, user: SAMPLE_USER },
  },
}).handle(async ({ ctx, request, body }) => {
  const { user, session } = await register(ctx, body, locationOf(request))
  return { user, ...loginReply(session) }
})
