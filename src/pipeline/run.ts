import type { Context } from 'hono'
import { auditRow, enqueueAuditRow } from '../audit/index.ts'
import { shardOf } from '../auth/index.ts'
import { newTrail, type AuthContext, type ClientInfo, type RequestContext } from '../core/context.ts'
import { isAppError } from '../core/errors.ts'
import { readBody } from '../core/http/body.ts'
import {
  isPublic,
  type AuthenticatedEndpoint,
  type Charge,
  type Endpoint,
  type PublicEndpoint,
} from '../core/http/endpoint.ts'
import { readIdempotencyKey } from '../core/http/idempotency.ts'
import { rateLimitHeaders } from '../limits/index.ts'
import {
  admitAnybody,
  admitFurther,
  admitUser,
  chargingUnreadable,
  releasePermits,
  requireScopes,
  stillAdmitted,
  type Admitted,
} from './admit.ts'
import type { AppEnv } from './app-env.ts'
import { count, resultOfCode } from './count.ts'
import { maxBytesOf, readInput } from './input.ts'
import { withIdempotency } from './replay.ts'
import { respond, withHeaders } from './respond.ts'

/**
 * The way of a request, in the order of contract §1: credential, limit, scope, size, type, body, idempotency,
 * operation, audit. All of it follows from the endpoint's declaration.
 */
export const run = (endpoint: Endpoint, c: Context<AppEnv>): Promise<Response> =>
  isPublic(endpoint) ? runPublic(endpoint, c) : runAuthenticated(endpoint, c)

/** A request of anybody, or of an OAuth client, which the operation itself authenticates and charges. */
async function runPublic({ spec, handle }: PublicEndpoint, c: Context<AppEnv>): Promise<Response> {
  const request = c.req.raw
  const url = new URL(request.url)
  const ctx = requestContextOf(c, url)
  const headers = rateLimitHeaders(await admitAnybody(spec, request, ctx))
  try {
    const input = await chargingUnreadable(spec, ctx, async () => {
      const bytes = spec.body ? await readBody(request, maxBytesOf(spec)) : new Uint8Array()
      return readInput(spec, c.req, url.searchParams, bytes)
    })
    return respond(spec, await handle({ ctx, credential: null, request, ...input }), headers)
  } catch (error) {
    throw isAppError(error) ? withHeaders(error, headers) : error
  }
}

async function runAuthenticated({ spec, handle }: AuthenticatedEndpoint, c: Context<AppEnv>): Promise<Response> {
  const request = c.req.raw
  const url = new URL(request.url)
  const requested = requestContextOf(c, url)
  const admitted = await admitUser(spec, request, requested)
  const { principal, credential } = admitted
  c.set('principal', principal)
  const charge: Charge = (permits) => admitFurther(spec, request, requested, admitted, permits)
  const trail = newTrail()
  let code = 'success'
  try {
    requireScopes(spec, principal, url.searchParams)
    const admittedAt = requested.now()
    const bytes = await readBody(request, maxBytesOf(spec))
    await stillAdmitted(requested, admitted, admittedAt)
    const input = readInput(spec, c.req, url.searchParams, bytes)
    const ctx: AuthContext = {
      ...requested,
      principal,
      db: requested.database(shardOf(principal.routingId)),
      trail,
      idempotency: spec.idempotent ? await readIdempotencyKey(request, url, bytes) : null,
    }
    const result = await withIdempotency(spec, ctx, () => handle({ ctx, credential, charge, request, ...input }))
    requested.waitUntil(releasePermits(spec, requested, admitted, code))
    return respond(spec, result, rateLimitHeaders(admitted.limits))
  } catch (error) {
    code = isAppError(error) ? error.code : 'internal'
    await releasePermits(spec, requested, admitted, code)
    throw isAppError(error) ? withHeaders(error, rateLimitHeaders(admitted.limits)) : error
  } finally {
    record(spec, requested, admitted, trail, code)
  }
}

/** Every request of a principal leaves its audit row, unless the operation committed one, and counts for `/v1/usage`. */
function record(
  spec: AuthenticatedEndpoint['spec'],
  ctx: RequestContext,
  { principal }: Admitted,
  trail: AuthContext['trail'],
  code: string,
): void {
  const committed = code === 'success' && trail.committed
  if (spec.audit !== null && !committed) {
    const { requestId } = ctx
    enqueueAuditRow(ctx, auditRow(ctx, { principal, action: spec.audit, outcome: code, requestId, trail }))
  }
  count(ctx, spec, principal, resultOfCode(code), committed)
}

/** The context of one request of anybody. Pages use it too, which stand outside the list of endpoints. */
export function requestContextOf(c: Context<AppEnv>, url = new URL(c.req.raw.url)): RequestContext {
  const system = c.get('system')
  const origin = system.config.publicOrigin ?? url.origin
  return { ...system, requestId: c.get('requestId'), client: clientOf(c.req.raw, origin) }
}

const clientOf = (request: Request, origin: string): ClientInfo => ({
  ip: request.headers.get('cf-connecting-ip') ?? '0.0.0.0',
  userAgent: request.headers.get('user-agent') ?? '',
  origin,
})
