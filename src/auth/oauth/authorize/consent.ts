import { auditRow, enqueueAuditRow } from '../../../audit/index.ts'
import type { AuthContext } from '../../../core/context.ts'
import { errorRedirect, type AuthorizationRequest } from './authorization-request.ts'
import { issueCode } from './issue-code.ts'
import { redirectTo } from '../redirect-uri.ts'

/** Carries out the user's decision, and answers where the browser goes next (RFC 6749 §4.1.2; `iss` of RFC 9207). */
export async function decide(ctx: AuthContext, request: AuthorizationRequest, approved: boolean): Promise<string> {
  const { redirectUri, state } = request
  if (approved) {
    return redirectTo(redirectUri, { code: await issueCode(ctx, request), state, iss: ctx.client.origin })
  }
  ctx.trail.resourceIds = [request.client.id]
  enqueueAuditRow(
    ctx,
    ctx.db.shard,
    auditRow(ctx, {
      principal: ctx.principal,
      action: 'oauth.consent',
      outcome: 'access_denied',
      requestId: ctx.requestId,
      trail: ctx.trail,
    }),
  )
  return errorRedirect(ctx, redirectUri, state, {
    error: 'access_denied',
    description: 'The user did not approve.',
  })
}
