import { countRequest, type RequestOutcome } from '../audit/index.ts'
import { shardOf } from '../core/shards.ts'
import type { Principal, RequestContext } from '../core/context.ts'
import type { EndpointSpec } from '../core/http/endpoint.ts'

/** A request that has been answered or refused. */
interface Ended {
  principal: Principal
  outcome: RequestOutcome
  /** When it arrived. */
  since: number
  projectId?: string | null
  committed?: boolean
}

/** Counts a request for `/v1/usage` and its series. */
export function count(ctx: RequestContext, spec: EndpointSpec, ended: Ended): void {
  const { principal, outcome, since, projectId = null, committed = false } = ended
  countRequest(ctx, {
    principal,
    shard: shardOf(principal.routingId),
    operation: spec.audit ?? `${spec.method}:${spec.path}`,
    outcome,
    durationMs: Math.max(0, ctx.now() - since),
    projectId,
    pageRead: ctx.client.pageRead === true,
    committed,
  })
}

/** The outcome that an error code, or `success`, counts as. */
export const resultOfCode = (code: string): RequestOutcome =>
  code === 'success' ? 'ok' : code === 'internal' || code === 'dependency_unavailable' ? 'failed' : 'refused'
