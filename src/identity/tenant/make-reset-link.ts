import { z } from '@hono/zod-openapi'
import { reauthenticate } from '../../auth/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { sql } from '../../core/database/sql.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { anyId } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { forbidden } from '../access.ts'
import {
  newResetLink,
  replayResetLink,
  ResetLinkSchema,
  type ResetLink,
  SAMPLE_RESET_LINK,
} from '../members/reset-link.ts'
import { OWNER_MAY, PERSON, requireTenantOwner } from './tenant.ts'

const Params = z.strictObject({ user_id: anyId })
export const MakeResetLink = z.strictObject({ password: z.string().min(1) })

/**
 * Makes a one-time link by which any person of the tenant sets a new password, also one who shares no workspace with its
 * owner. It leads into workspaces that the owner does not see, so a session alone does not make it. 403 if the caller is
 * not the owner, 404 if the person is not of the tenant.
 */
export async function makeResetLinkForPerson(
  ctx: AuthContext,
  personId: string,
  { password }: z.output<typeof MakeResetLink>,
): Promise<ResetLink> {
  const { userId, tenantId } = ctx.principal
  ctx.trail.resourceIds = [personId]
  await requireTenantOwner(ctx)
  if (!(await ctx.db.first(`select 1 where ${PERSON}`, { person: personId, tenant: tenantId })))
    throw notFound('user', personId)
  if (personId === userId) throw forbidden('To change your own password, use your current one.')
  const hash = await reauthenticate(ctx, password, 'password')
  const may = sql(OWNER_MAY, { tenant: tenantId, owner: userId, password_hash: hash, person: personId })
  const link = await newResetLink(ctx, personId, 'tenant.make_reset_link', may)
  if (link) return link
  ctx.trail.committed = false
  throw new AppError('conflict', {
    detail: 'Another request changed the owner, the password or the person at the same time.',
  })
}

export const makeResetLinkForPersonEndpoint = endpoint({
  method: 'post',
  path: '/v1/tenant/people/{user_id}/reset-link',
  operationId: 'makeResetLinkForPerson',
  refusals: { wrong_password: 'the password is wrong' },
  tag: 'users',
  summary: 'Create a password reset link for a person in your tenant',
  description:
    'For the owner of the tenant, who confirms with the password. The link works once within 24 hours. No mail is sent, so pass it on yourself. The person is notified.',
  auth: 'session',
  scope: null,
  limit: 'write',
  audit: 'tenant.make_reset_link',
  params: Params,
  body: MakeResetLink,
  reply: { 201: ResetLinkSchema },
  errors: ['not_found', 'forbidden', 'conflict'],
  idempotent: { mode: 'claimed', replay: replayResetLink },
  example: {
    params: { user_id: SAMPLE_IDS.grace },
    body: { password: 'correct horse battery' },
    reply: SAMPLE_RESET_LINK,
  },
}).handle(({ ctx, params, body }) => makeResetLinkForPerson(ctx, params.user_id, body))
