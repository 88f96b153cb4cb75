import { shardOf } from '../core/shards.ts'
import { auditRow, enqueueAuditRow } from '../audit/index.ts'
import {
  authenticate,
  authenticateUpgrade,
  calledResource,
  countFailure,
  insufficientScope,
  invalidToken,
} from '../auth/index.ts'
import type { Principal, RequestContext, Scope } from '../core/context.ts'
import { AppError } from '../core/errors.ts'
import { scopesOf, type EndpointSpec, type PresentedToken } from '../core/http/endpoint.ts'
import type { AdmitReply, AdmitRequest, LimitState } from '../core/ports.ts'
import { inSpan } from '../core/spans.ts'
import { addressSubject, rateLimited } from '../limits/index.ts'
import { count } from './count-request.ts'

/** A request that may go on: who calls, and the permits that it acquired. */
export interface Admitted {
  principal: Principal
  credential: PresentedToken
  limits: LimitState[]
  acquiredAt: number
}

const askHub = (ctx: RequestContext, routingId: string, request: AdmitRequest): Promise<AdmitReply> =>
  inSpan('hub', ctx, {}, () => ctx.hub(routingId).admit(request))

/** A body that takes longer than this may be slow on purpose. */
const SLOW_BODY_MS = 1_000

/**
 * Asks the hub again about a request whose body came slowly. A credential that has ended in the meantime must leave
 * nothing behind, such as a key that would outlive it.
 */
export async function stillAdmitted(
  ctx: RequestContext,
  request: Request,
  { principal, credential }: Admitted,
  since: number,
): Promise<void> {
  if (ctx.now() - since <= SLOW_BODY_MS) return
  const reply = await askHub(ctx, principal.routingId, { ...credential, permits: [] })
  if (reply.outcome === 'refused') throw invalidToken(calledResource(request, ctx.client.origin), credential.kind)
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
  const since = ctx.now()
  const called = calledResource(request, ctx.client.origin)
  const presented = spec.upgrade
    ? await authenticateUpgrade(request, ctx.tokens, called)
    : await authenticate(request.headers, ctx.tokens, called)
  const credential = { kind: presented.kind, tokenHash: presented.hash, resource: called.uri }
  const reply = await askHub(ctx, presented.routingId, {
    ...credential,
    permits: permitsOf(spec, request),
  })
  if (reply.outcome === 'refused') throw invalidToken(called, presented.kind)
  if (reply.outcome === 'limited') {
    count(ctx, spec, { principal: reply.principal, outcome: 'limited', since })
    if (reply.toAudit && spec.audit !== null) {
      const { requestId } = ctx
      const row = { principal: reply.principal, action: spec.audit, outcome: 'rate_limited' as const, requestId }
      enqueueAuditRow(ctx, shardOf(presented.routingId), auditRow(ctx, row))
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
  const reply = await askHub(ctx, principal.routingId, wanted)
  if (reply.outcome === 'refused') throw invalidToken(calledResource(request, ctx.client.origin), credential.kind)
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
export function requireScopes(spec: EndpointSpec, principal: Principal, request: Request, origin: string): void {
  if (spec.auth === 'session' && principal.credential.kind !== 'session') {
    throw new AppError('session_required', {
      detail: 'Only a signed-in person can do this: log in at POST /auth/login and send the token in X-Session-Token.',
    })
  }
  requireOneOf(scopesOf(spec), principal, request, origin)
  requireScope(spec.scopeFor?.(new URL(request.url).searchParams) ?? null, principal, request, origin)
}

/** 403 where the credential lacks a further scope that the request needs; null: it needs none. */
export const requireScope = (scope: Scope | null, principal: Principal, request: Request, origin: string): void =>
  requireOneOf(scopesOf({ scope }), principal, request, origin)

function requireOneOf(scopes: readonly Scope[], principal: Principal, request: Request, origin: string): void {
  if (scopes.length === 0 || scopes.some((scope) => principal.scopes.includes(scope))) return
  const detail = `This request needs the scope ${scopes.join(' or ')}; the credential has ${principal.scopes.join(' ') || 'none'}.`
  throw insufficientScope(calledResource(request, origin), scopes, detail)
}
