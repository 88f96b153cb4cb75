import type { Context } from 'hono'
import type { AppEnv } from '../app.ts'
import { auditRow, gather } from '../audit/index.ts'
import { shardOf } from '../auth/index.ts'
import { readBody } from '../core/http/body.ts'
import { newTrail, type ClientInfo, type AuthContext, type RequestContext } from '../core/context.ts'
import type { Endpoint } from '../core/http/endpoint.ts'
import { isAppError } from '../core/errors.ts'
import { readIdempotencyKey } from '../core/http/idempotency.ts'
import { rateLimitHeaders } from '../limits/index.ts'
import { admitAnybody, admitUser, release, requireScopes, stillAdmitted } from './admit.ts'
import { count, outcomeOf } from './count.ts'
import { readInput, readQuery, validateIf } from './input.ts'
import { withIdempotency } from './replay.ts'
import { respond, withHeaders } from './respond.ts'

const DEFAULT_MAX_BYTES = 1024 * 1024

/**
 * The way of a request, in the order of contract §1: credential, limit, scope, size, type, body, idempotency,
 * operation, audit. All of it follows from the endpoint's declaration.
 */
export async function run({ spec, handle }: Endpoint, c: Context<AppEnv>): Promise<Response> {
  const system = c.get('system')
  const requestId = c.get('requestId')
  const request = c.req.raw
  const url = new URL(request.url)
  const client = clientOf(request, url)

  const anybody = spec.auth === 'none' || spec.auth === 'client'
  const admitted = anybody
    ? await admitAnybody(spec, request, { ...system, requestId, client })
    : await admitUser(spec, request, system, client)
  const { principal } = admitted
  if (principal) c.set('principal', principal)
  const headers = rateLimitHeaders(admitted.limits)
  const trail = newTrail()
  let outcome = 'success'
  try {
    if (principal) requireScopes(spec, principal, url.searchParams)
    const admittedAt = system.now()
    const bytes = await readBody(request, spec.maxBytes ?? DEFAULT_MAX_BYTES)
    await stillAdmitted(system, client, admitted, admittedAt)
    const body = readInput(spec, request, bytes)
    const query = readQuery(spec, url.searchParams)
    const params = spec.params ? validateIf(spec.params, c.req.param()) : undefined
    const ctx = {
      ...system,
      principal,
      db: system.database(principal ? shardOf(principal.routingId) : '00'),
      requestId,
      client,
      trail,
      idempotency: spec.idempotent ? await readIdempotencyKey(request, url, bytes) : null,
    } as AuthContext
    const input = { ctx, params, query, body, request, credential: admitted.credential }
    const result = await withIdempotency(spec, ctx, () => handle(input as Parameters<typeof handle>[0]))
    return respond(spec, result, headers)
  } catch (error) {
    outcome = isAppError(error) ? error.code : 'internal'
    await release(spec, system, admitted)
    throw isAppError(error) ? withHeaders(error, headers) : error
  } finally {
    if (principal) {
      const committed = outcome === 'success' && trail.committed
      if (spec.audit !== null && !committed)
        gather(system, auditRow(system, { principal, action: spec.audit, outcome, requestId, trail }))
      count(system, spec, principal, outcomeOf(outcome), committed)
    }
  }
}

/** One request of anybody, for pages, which stand outside the list of endpoints. */
export const requestContextOf = (c: Context<AppEnv>): RequestContext => ({
  ...c.get('system'),
  requestId: c.get('requestId'),
  client: clientOf(c.req.raw, new URL(c.req.url)),
})

const clientOf = (request: Request, url: URL): ClientInfo => ({
  ip: request.headers.get('cf-connecting-ip') ?? '0.0.0.0',
  userAgent: request.headers.get('user-agent') ?? '',
  origin: url.origin,
})
