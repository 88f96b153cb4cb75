import { z } from '@hono/zod-openapi'
import type { EndpointSpec } from '../../core/http/endpoint.ts'
import { shortFormOf } from '../../core/http/written.ts'

/** Response headers, as components of the document. */
export const HEADERS = {
  RequestId: { description: 'Include it when you report a problem.', schema: { type: 'string' } },
  RateLimitPolicy: {
    description: 'The limits that this request counts against: `"name";q=number;w=seconds`.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'How much of each limit remains: `"name";r=remaining;t=seconds`.',
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer' } },
  ETag: { description: 'For `If-Match` and `If-None-Match`.', schema: { type: 'string' } },
  IdempotentReplayed: {
    description: '`true` if this is the stored response to an earlier request with the same key.',
    schema: { type: 'string' },
  },
  WWWAuthenticate: { description: 'The challenge of RFC 6750.', schema: { type: 'string' } },
} as const

type Headers = Record<string, { $ref: string }>

const header = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` })
const REQUEST_ID: Headers = { 'X-Request-Id': header('RequestId') }
const RATE_LIMIT: Headers = { 'RateLimit-Policy': header('RateLimitPolicy'), RateLimit: header('RateLimit') }
const RETRYABLE = new Set([429, 503])

const answersNotModified = (spec: EndpointSpec): boolean => '304' in spec.reply
const comparesVersions = ({ errors, ifNoneMatch }: EndpointSpec): boolean =>
  ifNoneMatch === undefined && errors?.includes('precondition_failed') === true

/** The request headers that an endpoint's declaration implies, without the credential. */
export function requestHeaders(spec: EndpointSpec): z.ZodObject | undefined {
  const taken = {
    ...(spec.idempotent ? { 'Idempotency-Key': IdempotencyKey } : {}),
    ...(answersNotModified(spec) ? { 'If-None-Match': condition('Returns 304 if the `ETag` is still this one.') } : {}),
    ...(spec.ifNoneMatch === undefined
      ? {}
      : { 'If-None-Match': z.enum(['*']).optional().meta({ description: spec.ifNoneMatch }) }),
    ...(comparesVersions(spec) ? { 'If-Match': condition('Returns 412 if the item has another version.') } : {}),
  }
  return Object.keys(taken).length === 0 ? undefined : z.object(taken)
}

const IdempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .meta({ pattern: '^[\\x20-\\x7e]{1,255}$', description: 'Makes the request safe to repeat for 24 hours.' })

const condition = (description: string) => z.string().optional().meta({ description })

/** The headers of a 2xx or 3xx response. */
export function replyHeaders(spec: EndpointSpec, status: number): Headers {
  const versioned = 'version' in (shortFormOf(spec.reply[status])?.shape ?? {})
  const tagged = answersNotModified(spec) || versioned
  return {
    ...REQUEST_ID,
    ...(spec.limit === null ? {} : RATE_LIMIT),
    ...(tagged ? { ETag: header('ETag') } : {}),
    ...(spec.idempotent ? { 'Idempotent-Replayed': header('IdempotentReplayed') } : {}),
  }
}

/** The headers of an error response. */
export function problemHeaders({ auth }: EndpointSpec, status: number): Headers {
  const challenges = status === 401 && auth !== 'none' && auth !== 'client'
  return {
    ...REQUEST_ID,
    ...(status === 429 ? RATE_LIMIT : {}),
    ...(RETRYABLE.has(status) ? { 'Retry-After': header('RetryAfter') } : {}),
    ...(challenges ? { 'WWW-Authenticate': header('WWWAuthenticate') } : {}),
  }
}
