import { countRequest, type RequestOutcome } from '../audit/index.ts'
import { shardOf } from '../auth/index.ts'
import type { Principal, System } from '../core/context.ts'
import type { EndpointSpec } from '../core/http/endpoint.ts'

/** Counts a request for `/v1/usage`. */
export function count(
  system: System,
  spec: EndpointSpec,
  principal: Principal,
  outcome: RequestOutcome,
  committed = false,
): void {
  const operation = spec.audit ?? `${spec.method}:${spec.path}`
  countRequest(system, { principal, shard: shardOf(principal.routingId), operation, outcome, committed })
}

/** What an error code, or `success`, counts as. */
export const resultOfCode = (code: string): RequestOutcome =>
  code === 'success' ? 'ok' : code === 'internal' || code === 'dependency_unavailable' ? 'failed' : 'refused'
