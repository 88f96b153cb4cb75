import { auditRow, enqueueAuditRow, type AuditOutcome } from '../audit/index.ts'
import { shardOf } from '../core/shards.ts'
import { authContext, newTrail, type AuthContext, type RequestContext } from '../core/context.ts'
import { isAppError } from '../core/errors.ts'
import { readBody } from '../core/http/body.ts'
import type { InnerAnswer } from '../core/http/inner-answer.ts'
import {
  isOperator,
  isPublic,
  Reply,
  type AuthenticatedEndpoint,
  type Charge,
  type EndpointSpec,
  type Endpoint,
  type OperatorEndpoint,
  type PublicEndpoint,
} from '../core/http/endpoint.ts'
import { readIdempotencyKey } from '../core/idempotency/claim.ts'
import { rateLimitHeaders } from '../limits/index.ts'
import {
  admitAnybody,
  admitFurther,
  admitUser,
  chargingUnreadable,
  requireScope,
  requireScopes,
  stillAdmitted,
  type Admitted,
} from './admit.ts'
import { admitOperator } from './admit-operator.ts'
import { count, resultOfCode } from './count-request.ts'
import { maxBytesOf, readInput } from './input.ts'
import { requestContextOf, type Passage } from './passage.ts'
import { releasePermits } from './release-permits.ts'
import { withIdempotency } from './replay.ts'
import { respond, statusOf, withHeaders } from './respond.ts'
import { withoutReads } from './without-reads.ts'

/**
 * The way of a request, in the order of contract §1: credential, limit, scope, size, type, body, idempotency,
 * operation, audit. All of it follows from the endpoint's declaration.
 */
export async function run(endpoint: Endpoint, passage: Passage): Promise<Response> {
  if (isPublic(endpoint)) return runPublic(endpoint, passage)
  if (isOperator(endpoint)) return runOperator(endpoint, passage)
  const { result, limits } = await runAuthenticated(endpoint, passage)
  return respond(endpoint.spec, result, limits)
}

/** The same way for a request that was made inside the isolate, by the MCP server. */
export async function runInside(endpoint: Endpoint, passage: Passage): Promise<InnerAnswer> {
  if (isPublic(endpoint) || isOperator(endpoint)) throw new Error('such a request has a principal')
  const { result, limits } = await runAuthenticated(endpoint, passage)
  return { status: statusOf(endpoint.spec, result), body: result instanceof Reply ? result.body : result, limits }
}

/** A request of anybody, or of an OAuth client, which the operation itself authenticates and charges. */
async function runPublic({ spec, handle }: PublicEndpoint, passage: Passage): Promise<Response> {
  const { request } = passage
  const ctx = requestContextOf(passage, undefined, spec.path)
  const headers = rateLimitHeaders(await admitAnybody(spec, request, ctx))
  return answering(spec, headers, async () => {
    const input = await chargingUnreadable(spec, ctx, () => inputOf(spec, passage))
    return handle({ ctx, credential: null, request, ...input })
  })
}

/** A request of an operator, who is no user: no hub knows it, and it leaves no row in the audit of a tenant. */
async function runOperator({ spec, handle }: OperatorEndpoint, passage: Passage): Promise<Response> {
  const { request } = passage
  const requested = requestContextOf(passage, undefined, spec.path)
  const { operator, limits } = await admitOperator(request, requested)
  return answering(spec, rateLimitHeaders(limits), async () =>
    handle({ ctx: { ...requested, operator }, credential: null, request, ...(await inputOf(spec, passage)) }),
  )
}

async function inputOf(spec: EndpointSpec, { request, params }: Passage): Promise<ReturnType<typeof readInput>> {
  const bytes = spec.body ? await readBody(request, maxBytesOf(spec)) : new Uint8Array()
  return readInput(spec, { request, params, search: new URL(request.url).search, bytes })
}

/** The answer of an operation, which carries these headers also where it fails. */
async function answering(
  spec: EndpointSpec,
  headers: Record<string, string>,
  work: () => Promise<unknown>,
): Promise<Response> {
  try {
    return respond(spec, await work(), headers)
  } catch (error) {
    throw isAppError(error) ? withHeaders(error, headers) : error
  }
}

async function runAuthenticated(
  { spec, handle }: AuthenticatedEndpoint,
  passage: Passage,
): Promise<{ result: unknown; limits: Record<string, string> }> {
  const { request, params } = passage
  const url = new URL(request.url)
  const requested = requestContextOf(passage, url, spec.path)
  const since = requested.now()
  const admitted = await admitUser(spec, request, requested)
  const { credential } = admitted
  const principal = passage.actAs(admitted.principal)
  const charge: Charge = (permits) => admitFurther(spec, request, requested, admitted, permits)
  const trail = newTrail()
  let code: AuditOutcome = 'success'
  try {
    requireScopes(spec, principal, request, requested.client.origin)
    const admittedAt = requested.now()
    const bytes = passage.bytes ?? (await readBody(request, maxBytesOf(spec)))
    await stillAdmitted(requested, request, admitted, admittedAt)
    const input = readInput(spec, { request, params, search: url.search, bytes })
    requireScope(spec.scopeForBody?.(input.body as never) ?? null, principal, request, requested.client.origin)
    const idempotency = spec.idempotent
      ? await readIdempotencyKey(request, url, bytes, statusOf(spec, undefined))
      : null
    const ctx = authContext(requested, principal, { trail, idempotency })
    const result = await withIdempotency(spec, ctx, () => handle({ ctx, credential, charge, request, ...input }))
    requested.waitUntil(releasePermits(spec, requested, admitted, code))
    return { result: withoutReads(spec, principal, result), limits: rateLimitHeaders(admitted.limits) }
  } catch (error) {
    code = isAppError(error) ? error.code : 'internal'
    await releasePermits(spec, requested, admitted, code)
    throw isAppError(error) ? withHeaders(error, rateLimitHeaders(admitted.limits)) : error
  } finally {
    record(spec, requested, { principal: admitted.principal, trail, code, since })
  }
}

/** Every request of a principal leaves its audit row, unless the operation committed one, and counts for `/v1/usage`. */
function record(
  spec: AuthenticatedEndpoint['spec'],
  ctx: RequestContext,
  {
    principal,
    trail,
    code,
    since,
  }: Pick<Admitted, 'principal'> & { trail: AuthContext['trail']; code: AuditOutcome; since: number },
): void {
  const committed = code === 'success' && trail.committed
  if (spec.audit !== null && !committed) {
    const { requestId } = ctx
    const pageRead = code === 'success' && ctx.client.pageRead === true
    const row = { principal, action: spec.audit, outcome: code, requestId, trail, pageRead }
    enqueueAuditRow(ctx, shardOf(principal.routingId), auditRow(ctx, row))
  }
  count(ctx, spec, { principal, outcome: resultOfCode(code), since, projectId: trail.projectId, committed })
}
