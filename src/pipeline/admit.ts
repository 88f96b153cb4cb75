import { auditRow, enqueueAuditRow } from '../audit/index.ts'
import { authenticate, authenticateUpgrade, countFailure, invalidToken } from '../auth/index.ts'
import type { Principal, RequestContext } from '../core/context.ts'
import { AppError } from '../core/errors.ts'
import { scopesOf, type EndpointSpec, type PresentedToken } from '../core/http/endpoint.ts'
import type { LimitState } from '../core/ports.ts'
import { addressSubject, rateLimited } from '../limits/index.ts'
import { count, resultOfCode } from './count.ts'

/** A request that may go on: who calls, and the permits that it acquired. */
export interface Admitted {
  principal: Principal
  credential: PresentedToken
  limits: LimitState[]
  acquiredAt: number
}

/** A body that takes longer than this may be slow on purpose. */
const SLOW_BODY_MS = 1_000

/**
 * Asks the hub again about a request whose body came slowly. A credential that has ended in the meantime shall leave
 * nothing behind, such as a key that would outlive it.
 */
export async function stillAdmitted(
  ctx: RequestContext,
  { principal, credential }: Admitted,
  since: number,
): Promise<void> {
  if (ctx.now() - since <= SLOW_BODY_MS) return
  const reply = await ctx.hub(principal.routingId).admit({ ...credential, permits: [] })
  if (reply.outcome === 'refused') throw invalidToken(ctx.client.origin)
}

/** Releases what the outcome does not count against, where refused calls have a limit of their own (contract §5). */
export async function releasePermits(
  { limit, limitWhenRefused }: EndpointSpec,
  ctx: RequestContext,
  { principal, acquiredAt }: Admitted,
  code: string,
): Promise<void> {
  if (limitWhenRefused === undefined || limit === null) return
  const outcome = resultOfCode(code)
  for (const policy of [...(outcome === 'ok' ? [] : [limit]), ...(outcome === 'refused' ? [] : [limitWhenRefused])]) {
    try {
      await ctx.hub(principal.routingId).release(policy, acquiredAt)
    } catch (error) {
      // The answer itself matters more to the caller than its permit.
      ctx.log.error({ event: 'limit.release_failed', limit: policy }, error)
    }
  }
}

/**
 * The pipeline learns later whether a call is refused. So each call also acquires a permit for refused calls.
 */
const permitsOf = (spec: EndpointSpec, request: Request): string[] => [
  ...(spec.limit === null ? [] : [limitOf(spec, spec.limit, request)]),
  ...(spec.limitWhenRefused === undefined ? [] : [spec.limitWhenRefused]),
]

const limitOf = ({ limitWith }: EndpointSpec, limit: string, request: Request): string =>
  limitWith && new URL(request.url).searchParams.has(limitWith.parameter) ? limitWith.limit : limit

export async function admitUser(spec: EndpointSpec, request: Request, ctx: RequestContext): Promise<Admitted> {
  const { origin } = ctx.client
  const presented = spec.upgrade
    ? await authenticateUpgrade(request, ctx.tokens, origin)
    : await authenticate(request.headers, ctx.tokens, origin)
  const credential = { kind: presented.kind, tokenHash: presented.hash }
  const reply = await ctx.hub(presented.routingId).admit({
    ...credential,
    permits: permitsOf(spec, request),
  })
  if (reply.outcome === 'refused') throw invalidToken(origin)
  if (reply.outcome === 'limited') {
    count(ctx, spec, reply.principal, 'limited')
    if (reply.toAudit && spec.audit !== null) {
      const { requestId } = ctx
      const row = { principal: reply.principal, action: spec.audit, outcome: 'rate_limited', requestId }
      enqueueAuditRow(ctx, auditRow(ctx, row))
    }
    throw rateLimited(reply.limits, reply.retryAt, ctx.now())
  }
  return { principal: reply.principal, credential, limits: reply.limits, acquiredAt: reply.acquiredAt }
}

/** Acquires further permits of the limit by which the request was admitted. `admitted.limits` then tells what is left. */
export async function admitFurther(
  spec: EndpointSpec,
  request: Request,
  ctx: RequestContext,
  admitted: Admitted,
  permits: number,
): Promise<void> {
  if (spec.limit === null || permits <= 0) return
  const name = limitOf(spec, spec.limit, request)
  const { principal, credential } = admitted
  const wanted = { ...credential, permits: Array.from({ length: permits }, () => name), further: true } as const
  const reply = await ctx.hub(principal.routingId).admit(wanted)
  if (reply.outcome === 'refused') throw invalidToken(ctx.client.origin)
  admitted.limits = admitted.limits.map((limit) => reply.limits.find((now) => now.policy === limit.policy) ?? limit)
  if (reply.outcome === 'limited') throw rateLimited(reply.limits, reply.retryAt, ctx.now())
}

/** The limit by address, with its state for the headers; an OAuth client is charged by the operation. */
export async function admitAnybody(spec: EndpointSpec, request: Request, ctx: RequestContext): Promise<LimitState[]> {
  if (spec.limit === null || spec.auth === 'client') return []
  const permit = await ctx.limiter.acquire(spec.limit, addressSubject(ctx.client.ip))
  if (permit.admitted) return [permit.state]
  await spec.onLimited?.(ctx, request)
  throw rateLimited([permit.state], permit.retryAt, ctx.now())
}

/**
 * Reads the input of a request of anybody. The form of an OAuth client names the client, so it is read before anybody is
 * charged. One that cannot be read counts against its address as a failure of authentication does (contract §6).
 */
export async function chargingUnreadable<T>(
  spec: EndpointSpec,
  ctx: RequestContext,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (spec.auth === 'client') await countFailure(ctx)
    throw error
  }
}

/** 403 where the credential does not open this endpoint. */
export function requireScopes(spec: EndpointSpec, principal: Principal, query: URLSearchParams): void {
  if (spec.auth === 'session' && principal.credential.kind !== 'session') {
    throw new AppError('session_required', { detail: 'This endpoint needs a session token: log in first.' })
  }
  for (const scopes of [scopesOf(spec), scopesOf({ scope: spec.scopeFor?.(query) ?? null })]) {
    if (scopes.length === 0 || scopes.some((scope) => principal.scopes.includes(scope))) continue
    throw new AppError('insufficient_scope', {
      detail: `This needs the scope ${scopes.join(' or ')}.`,
      headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"` },
    })
  }
}
