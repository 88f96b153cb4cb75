import { tracing } from 'cloudflare:workers'
import { routePattern } from './http/endpoint.ts'

/** Parts of the work that a trace shows (docs/operations.md). */
export type SpanName = 'hub' | 'keyword' | 'vectors' | 'embed' | 'deliver'

/** The attributes that a span may have besides its cause: ids that the service made. No value that a client chose is among them. */
export interface SpanIds {
  delivery_id?: string
  subscription_id?: string
}

/** On whose behalf: a request has a path pattern and an id, a consumer and a sweep have none. */
export interface SpanCause {
  readonly requestId?: string
  readonly route?: string | undefined
  /** `isTraced` of the invocation, where it is known. */
  readonly traced?: boolean
}

/** The deployment has traces switched on, and this invocation is sampled. */
export const isTraced = (): boolean => tracing.getActiveSpan()?.isTraced === true

/**
 * Does work within a span of its own where the invocation is traced. To enter one costs some ten times as much as to ask
 * that, also where nobody records it.
 */
export function inSpan<T>(name: SpanName, { requestId, route, traced }: SpanCause, ids: SpanIds, work: () => T): T {
  if (!(traced ?? isTraced())) return work()
  return tracing.enterSpan(name, (span) => {
    span.setAttributes({ ...ids, request_id: requestId, route: route === undefined ? undefined : routePattern(route) })
    return work()
  })
}
