import type { Principal } from '../core/context.ts'
import { Reply, type EndpointSpec } from '../core/http/endpoint.ts'
import { shortened } from '../core/http/written.ts'
import { statusOf } from './respond.ts'

/** The result as the caller may see it: what was there before the request is short without the scope to read it (contract §2). */
export function withoutReads(spec: EndpointSpec, { scopes }: Pick<Principal, 'scopes'>, result: unknown): unknown {
  if (spec.reads === undefined || scopes.includes(spec.reads)) return result
  const schema = spec.reply[statusOf(spec, result)]
  if (!schema) return result
  return result instanceof Reply
    ? new Reply(result.status, shortened(schema, result.body), result.headers)
    : shortened(schema, result)
}
