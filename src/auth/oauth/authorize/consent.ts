import { auditRow, enqueueAuditRow } from '../../../audit/index.ts'
import type { AuthContext } from '../../../core/context.ts'
import { refusal, type AuthorizeRequest } from './authorization-request.ts'
import { issueCode } from './issue-code.ts'
import { redirectTo } from '../redirect-uri.ts'

/** What the user decided: where the browser goes next (RFC 6749 §4.1.2; `iss` of RFC 9207 on both ways). */
export async function decide(ctx: AuthContext, request: AuthorizeRequest, approved: boolean): Promise<string> {
  const { redirectUri, state } = request
  if (approved) {
    return redirectTo(redirectUri, { code: await issueCode(ctx, request), state, iss: ctx.client.origin })
  }
  ctx.trail.resourceIds = [request.client.id]
  enqueueAuditRow(
    ctx,
    auditRow(ctx, {
      principal: ctx.principal,
      action: 'oauth.consent',
      outcome: 'access_denied',
      requestId: ctx.requestId,
      trail: ctx.trail,
    }),
  )
  return refusal(ctx, redirectUri, state, 'access_denied', 'The user did not approve.')
}
