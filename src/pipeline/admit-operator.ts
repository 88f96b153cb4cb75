import { OPERATOR_REALM, operatorOf } from '../auth/index.ts'
import type { RequestContext } from '../core/context.ts'
import { AppError } from '../core/errors.ts'
import type { LimitState } from '../core/ports.ts'
import type { LimitName } from '../core/limits.ts'
import { addressSubject, rateLimited } from '../limits/index.ts'

/** The headers that carry a credential (contract §2). */
const CREDENTIAL_HEADERS = ['authorization', 'x-api-key', 'x-session-token']

/**
 * Admits an operator by the key in `Authorization: Bearer`, and charges the address. A request without a right key is
 * charged to a limit of its own. So nobody at the address of an operator uses up what the operator has.
 */
export async function admitOperator(
  request: Request,
  ctx: RequestContext,
): Promise<{ operator: string; limits: LimitState[] }> {
  const sent = CREDENTIAL_HEADERS.filter((name) => request.headers.has(name))
  const key = sent.length === 1 ? request.headers.get('authorization') : null
  const operator = key === null ? null : await operatorOf(ctx.operatorKeys, key)
  if (operator !== null) return { operator, limits: [await charge(ctx, 'operator')] }
  await charge(ctx, 'operator.refused')
  ctx.log.info({ event: 'operator.refused', request_id: ctx.requestId, credentials: sent.length })
  throw refusal(sent.length)
}

async function charge(ctx: RequestContext, name: LimitName): Promise<LimitState> {
  const { admitted, state, retryAt } = await ctx.limiter.acquire(name, addressSubject(ctx.client.ip))
  if (!admitted) throw rateLimited([state], retryAt, ctx.now())
  return state
}

/** All wrong keys get the same answer, and so does a credential of a user. */
function refusal(sent: number): AppError {
  if (sent > 1)
    return new AppError('conflicting_credentials', { detail: 'Send an operator key and no other credential.' })
  const challenge = `Bearer realm="${OPERATOR_REALM}"`
  return sent === 0
    ? new AppError('unauthenticated', {
        detail: 'This path needs an operator key in Authorization: Bearer.',
        headers: { 'WWW-Authenticate': challenge },
      })
    : new AppError('invalid_token', {
        detail: 'This path accepts only an operator key in Authorization: Bearer, not a credential of a user.',
        headers: { 'WWW-Authenticate': `${challenge}, error="invalid_token"` },
      })
}
