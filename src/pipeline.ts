import type { Context } from 'hono'
import type { AppEnv } from './app.ts'
import { auditRow, gather, gatherRequest, type Outcome } from './audit/index.ts'
import { authenticate, authenticateUpgrade, invalidToken, shardOf } from './auth/index.ts'
import { decodeText, parseForm, parseJson, readBody, requireType, validate } from './core/body.ts'
import { newTrail, type ClientInfo, type Ctx, type Principal, type System, type Visit } from './core/context.ts'
import { Reply, type Endpoint, type EndpointSpec, type HandlerInput } from './core/endpoint.ts'
import { AppError, isAppError } from './core/errors.ts'
import { claimKey, readIdempotencyKey, replayOf, settleKey, storedKey } from './core/idempotency.ts'
import type { LimitState } from './core/ports.ts'
import { depsOf } from './deps.ts'
import { addressSubject, rateLimited, rateLimitHeaders } from './limits/index.ts'

const DEFAULT_MAX_BYTES = 1024 * 1024

/**
 * The way of a request, in the order of contract §1: credential, limit, scope, size, type, body, idempotency,
 * operation, audit. All of it follows from the endpoint's declaration.
 */
export async function run(endpoint: Endpoint, c: Context<AppEnv>): Promise<Response> {
  const { spec } = endpoint
  const system = depsOf(c.env)((work) => c.executionCtx.waitUntil(work))
  const request = c.req.raw
  const client = clientOf(request)
  const requestId = c.get('requestId')

  const admitted =
    spec.auth === 'none' || spec.auth === 'client'
      ? await admitAnybody(spec, system, client)
      : await admitUser(spec, request, system, client)
  if (admitted.principal) c.set('principal', admitted.principal)
  const headers = rateLimitHeaders(admitted.limits)
  const trail = newTrail()
  let outcome = 'success'
  try {
    if (admitted.principal) requireScopes(spec, admitted.principal, request)
    const bytes = await readBody(request, spec.maxBytes ?? DEFAULT_MAX_BYTES)
    const body = readInput(spec, request, bytes)
    const query = readQuery(spec, parseForm(new URL(request.url).searchParams))
    const params = validateIf(spec.params, c.req.param())
    const ctx = {
      ...system,
      principal: admitted.principal,
      db: system.database(admitted.principal ? shardOf(admitted.principal.routingId) : '00'),
      requestId,
      client,
      trail,
      idempotency: spec.idempotent ? await readIdempotencyKey(request, new URL(request.url).pathname, bytes) : null,
    } as Ctx
    const result = await withIdempotency(endpoint, ctx, () =>
      endpoint.handle({ ctx, params, query, body, request, credential: admitted.credential } as Parameters<
        Endpoint['handle']
      >[0]),
    )
    return respond(spec, result, headers)
  } catch (error) {
    outcome = isAppError(error) ? error.code : 'internal'
    await giveBack(spec, system, admitted)
    throw isAppError(error) ? withHeaders(error, headers) : error
  } finally {
    const { principal } = admitted
    if (principal) {
      const committed = outcome === 'success' && trail.committed
      if (spec.audit !== null && !committed)
        gather(system, auditRow(system, { principal, action: spec.audit, outcome, requestId, trail }))
      count(system, spec, principal, outcomeOf(outcome), committed)
    }
  }
}

interface Admitted {
  principal: Principal | null
  credential: HandlerInput<EndpointSpec>['credential']
  limits: LimitState[]
  takenAt: number
}

async function giveBack(spec: EndpointSpec, system: System, { principal, takenAt }: Admitted): Promise<void> {
  if (!spec.givesBack || spec.limit === null || !principal) return
  try {
    await system.hub(principal.routingId).giveBack(spec.limit, takenAt)
  } catch (error) {
    // The refusal itself matters more to the caller than its place.
    system.log.error({ event: 'limit.give_back_failed', limit: spec.limit }, error)
  }
}

const chargedLimit = ({ limitWith }: EndpointSpec, limit: string, request: Request): string =>
  limitWith && new URL(request.url).searchParams.has(limitWith.parameter) ? limitWith.limit : limit

async function admitUser(spec: EndpointSpec, request: Request, system: System, client: ClientInfo): Promise<Admitted> {
  const presented = spec.upgrade
    ? await authenticateUpgrade(request, system.tokens, client.origin)
    : await authenticate(request.headers, system.tokens, client.origin)
  const credential = { kind: presented.kind, tokenHash: presented.hash }
  const reply = await system.hub(presented.routingId).admit({
    ...credential,
    charge: spec.limit === null ? [] : [chargedLimit(spec, spec.limit, request)],
  })
  if (reply.outcome === 'refused') throw invalidToken(client.origin)
  if (reply.outcome === 'limited') {
    count(system, spec, reply.principal, 'limited')
    throw rateLimited(reply.limits, reply.retryAt, system.now())
  }
  return { principal: reply.principal, credential, limits: reply.limits, takenAt: reply.takenAt }
}

/** Counts a request for `/v1/usage`. */
function count(system: System, spec: EndpointSpec, principal: Principal, outcome: Outcome, committed = false): void {
  const operation = spec.audit ?? `${spec.method}:${spec.path}`
  gatherRequest(system, { principal, shard: shardOf(principal.routingId), operation, outcome, committed })
}

const outcomeOf = (code: string): Outcome =>
  code === 'success' ? 'ok' : code === 'internal' || code === 'dependency_unavailable' ? 'failed' : 'refused'

async function admitAnybody(spec: EndpointSpec, system: System, client: ClientInfo): Promise<Admitted> {
  if (spec.limit === null || spec.auth === 'client')
    return { principal: null, credential: null, limits: [], takenAt: 0 }
  const taken = await system.limiter.take(spec.limit, addressSubject(client.ip))
  if (!taken.admitted) throw rateLimited([taken.state], taken.retryAt, system.now())
  return { principal: null, credential: null, limits: [taken.state], takenAt: taken.takenAt }
}

function requireScopes(spec: EndpointSpec, principal: Principal, request: Request): void {
  if (spec.auth === 'session' && principal.credential.kind !== 'session') {
    throw new AppError('session_required', { detail: 'This endpoint needs a session token: log in first.' })
  }
  for (const scope of [spec.scope, spec.scopeFor?.(new URL(request.url).searchParams) ?? null]) {
    if (scope === null || principal.scopes.includes(scope)) continue
    throw new AppError('insufficient_scope', {
      detail: `This needs the scope ${scope}.`,
      headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
    })
  }
}

function readInput(spec: EndpointSpec, request: Request, bytes: Uint8Array<ArrayBuffer>): unknown {
  if (!spec.body) return undefined
  if (spec.bodyType === 'ndjson') {
    requireType(request, 'application/x-ndjson')
    return validate(spec.body, decodeText(bytes))
  }
  if (spec.bodyType === 'form') {
    requireType(request, 'application/x-www-form-urlencoded')
    return validate(spec.body, parseForm(new URLSearchParams(decodeText(bytes))))
  }
  if (bytes.byteLength === 0 && spec.body.safeParse(undefined).success) return validate(spec.body, undefined)
  requireType(request, 'application/json')
  return validate(spec.body, parseJson(decodeText(bytes)))
}

const readQuery = (spec: EndpointSpec, query: unknown): unknown =>
  spec.errorStyle === 'oauth' && !spec.query ? undefined : validateIf(spec.query, query)

const validateIf = (schema: EndpointSpec['query'], value: unknown): unknown =>
  schema ? validate(schema, value) : refuseAny(value)

/** An endpoint without query parameters takes none (contract §1: unknown query keys are 422). */
function refuseAny(value: unknown): undefined {
  const [key] = Object.keys(value as object)
  if (key === undefined) return undefined
  throw new AppError('validation_failed', {
    detail: `Unknown parameter "${key}".`,
    errors: [{ path: key, code: 'unknown_field', message: `Unknown parameter "${key}".` }],
  })
}

/** Runs the operation once for a key, or answers what it answered before (contract §1). */
async function withIdempotency(endpoint: Endpoint, ctx: Ctx, work: () => unknown): Promise<unknown> {
  const { idempotent } = endpoint.spec
  const claim = ctx.idempotency
  if (!idempotent || !claim) return work()
  const before = await earlierOutcome(idempotent.mode, ctx)
  if (before) {
    const now = await idempotent.replay(ctx, before.resource)
    return new Reply(before.status, now, { 'Idempotent-Replayed': 'true' })
  }
  if (idempotent.mode === 'committed') return work()
  try {
    const result = await work()
    const status = statusOf(endpoint.spec, result)
    const body = result instanceof Reply ? result.body : result
    await settleKey(ctx, claim, { status, resource: idempotent.resource(body as never) })
    return result
  } catch (error) {
    await settleKey(ctx, claim, null)
    throw error
  }
}

async function earlierOutcome(
  mode: 'committed' | 'claimed',
  ctx: Ctx,
): Promise<{ status: number; resource: string } | null> {
  const claim = ctx.idempotency
  if (!claim) return null
  if (mode === 'claimed') return claimKey(ctx, claim)
  const stored = await storedKey(ctx, claim)
  return stored ? replayOf(claim, stored) : null
}

const statusOf = (spec: EndpointSpec, result: unknown): number =>
  result instanceof Reply ? result.status : Number(Object.keys(spec.reply)[0])

function respond(spec: EndpointSpec, result: unknown, limits: Record<string, string>): Response {
  if (result instanceof Response) {
    const response = new Response(result.body, result)
    for (const [name, value] of Object.entries(limits)) response.headers.set(name, value)
    return response
  }
  const status = statusOf(spec, result)
  const headers = { ...limits, ...(result instanceof Reply ? result.headers : {}) }
  const body = result instanceof Reply ? result.body : result
  if (spec.reply[status] === null || body === undefined) return new Response(null, { status, headers })
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers },
  })
}

const withHeaders = (error: AppError, headers: Record<string, string>): AppError => {
  Object.assign(error.headers, { ...headers, ...error.headers })
  return error
}

/** One request of anybody, for pages, which stand outside the list of endpoints. */
export const visitOf = (c: Context<AppEnv>): Visit => ({
  ...depsOf(c.env)((work) => c.executionCtx.waitUntil(work)),
  requestId: c.get('requestId'),
  client: clientOf(c.req.raw),
})

const clientOf = (request: Request): ClientInfo => ({
  ip: request.headers.get('cf-connecting-ip') ?? '0.0.0.0',
  userAgent: request.headers.get('user-agent') ?? '',
  origin: new URL(request.url).origin,
})
