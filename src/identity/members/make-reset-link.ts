import type { AuthContext } from '../../core/context.ts'
import { sql } from '../../core/database/sql.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { invalid } from '../../core/errors.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { forbidden } from '../access.ts'
import { requireWholeWorkspace, visibleWorkspace } from '../workspaces/workspace.ts'
import { memberOf, MemberParams } from './member.ts'
import {
  mayReset,
  newResetLink,
  replayResetLink,
  ResetLinkSchema,
  type ResetLink,
  SAMPLE_RESET_LINK,
} from './reset-link.ts'

/**
 * Makes a one-time link by which a member of a workspace of the caller sets a new password. Anyone with the link can
 * log in as the member, so few may make one: `mayReset` says who.
 */
export async function makeResetLink(ctx: AuthContext, workspaceId: string, userId: string): Promise<ResetLink> {
  const { principal } = ctx
  requireWholeWorkspace(ctx)
  ctx.trail.resourceIds = [userId]
  await visibleWorkspace(ctx, workspaceId)
  const member = await memberOf(ctx, workspaceId, userId)
  // A stolen session must not lead to the password, so no link is made for oneself.
  if (userId === principal.userId) throw forbidden('To change your own password, use your current one.')
  if (member.kind === 'service') throw invalid('user_id', 'service_account', 'A service account has no password.')
  const may = sql(mayReset(':maker', ':person'), { maker: principal.userId, person: userId })
  const link = await newResetLink(ctx, userId, 'members.make_reset_link', may)
  if (link) return link
  ctx.trail.committed = false
  throw forbidden(
    'Only the owner of the tenant can create this link, or someone who owns every workspace of this member and the one that invited them.',
  )
}

export const makeResetLinkEndpoint = endpoint({
  method: 'post',
  path: '/v1/workspaces/{id}/members/{user_id}/reset-link',
  operationId: 'makeResetLinkForMember',
  tag: 'members',
  summary: 'Create a password reset link for a member',
  description:
    'For the owner of the tenant, and for a caller who owns every workspace of the member and the workspace whose invitation created the account. The link works once within 24 hours. No mail is sent, so pass it on yourself. The member is notified.',
  auth: 'session',
  scope: 'admin:workspace',
  limit: 'write',
  audit: 'members.make_reset_link',
  params: MemberParams,
  reply: { 201: ResetLinkSchema },
  errors: ['not_found', 'forbidden'],
  idempotent: { mode: 'claimed', replay: replayResetLink },
  example: { params: { id: SAMPLE_IDS.workspace, user_id: SAMPLE_IDS.grace }, reply: SAMPLE_RESET_LINK },
}).handle(({ ctx, params }) => makeResetLink(ctx, params.id, params.user_id))
