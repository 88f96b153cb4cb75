import { authenticate, authenticateUpgrade, invalidToken } from '../auth/index.ts'
import type { ClientInfo, Principal, System, RequestContext } from '../core/context.ts'
import { scopesOf, type EndpointSpec, type HandlerInput } from '../core/http/endpoint.ts'
import { AppError } from '../core/errors.ts'
import type { LimitState } from '../core/ports.ts'
import { addressSubject, rateLimited } from '../limits/index.ts'
import { count } from './count.ts'

/** A request that may go on: who calls, and the places that it took. */
export interface Admitted {
  principal: Principal | null
  credential: HandlerInput<EndpointSpec>['credential']
  limits: LimitState[]
  acquiredAt: number
}

/** A body that takes no longer comes as fast as the line is. */
const SLOW_BODY_MS = 1_000

/**
 * Asks the hub again about a request whose body came slowly, perhaps on purpose: what has ended in the meantime shall
 * leave nothing behind, such as a key that would outlive it.
 */
export async function stillAdmitted(
  system: System,
  client: ClientInfo,
  admitted: Admitted,
  since: number,
): Promise<void> {
  const { principal, credential } = admitted
  if (!principal || !credential || system.now() - since <= SLOW_BODY_MS) return
  const reply = await system.hub(principal.routingId).admit({ ...credential, permits: [] })
  if (reply.outcome === 'refused') throw invalidToken(client.origin)
}

/** A refused call of these endpoints takes no place (contract §5). */
export async function release(spec: EndpointSpec, system: System, { principal, acquiredAt }: Admitted): Promise<void> {
  if (!spec.releasesWhenRefused || spec.limit === null || !principal) return
  try {
    await system.hub(principal.routingId).release(spec.limit, acquiredAt)
  } catch (error) {
    // The refusal itself matters more to the caller than its place.
    system.log.error({ event: 'limit.release_failed', limit: spec.limit }, error)
  }
}

const limitOf = ({ limitWith }: EndpointSpec, limit: string, request: Request): string =>
  limitWith && new URL(request.url).searchParams.has(limitWith.parameter) ? limitWith.limit : limit

export async function admitUser(
  spec: EndpointSpec,
  request: Request,
  system: System,
  client: ClientInfo,
): Promise<Admitted> {
  const presented = spec.upgrade
    ? await authenticateUpgrade(request, system.tokens, client.origin)
    : await authenticate(request.headers, system.tokens, client.origin)
  const credential = { kind: presented.kind, tokenHash: presented.hash }
  const reply = await system.hub(presented.routingId).admit({
    ...credential,
    permits: spec.limit === null ? [] : [limitOf(spec, spec.limit, request)],
  })
  if (reply.outcome === 'refused') throw invalidToken(client.origin)
  if (reply.outcome === 'limited') {
    count(system, spec, reply.principal, 'limited')
    throw rateLimited(reply.limits, reply.retryAt, system.now())
  }
  return { principal: reply.principal, credential, limits: reply.limits, acquiredAt: reply.acquiredAt }
}

export async function admitAnybody(spec: EndpointSpec, request: Request, ctx: RequestContext): Promise<Admitted> {
  if (spec.limit === null || spec.auth === 'client')
    return { principal: null, credential: null, limits: [], acquiredAt: 0 }
  const taken = await ctx.limiter.acquire(spec.limit, addressSubject(ctx.client.ip))
  if (!taken.admitted) {
    await spec.onLimited?.(ctx, request)
    throw rateLimited([taken.state], taken.retryAt, ctx.now())
  }
  return { principal: null, credential: null, limits: [taken.state], acquiredAt: taken.acquiredAt }
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
