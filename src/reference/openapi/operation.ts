import { z, type RouteConfig } from '@hono/zod-openapi'
import { scopesOf, type AnswerLink, type EndpointSpec } from '../../core/http/endpoint.ts'
import { ERROR_STATUS, type ErrorCode } from '../../core/errors.ts'
import { LIMITS, type LimitName } from '../../core/limits.ts'
import { errorsByStatus, wireCodesOf } from './error-codes.ts'
import { content, exampleReply, withExamples } from './examples.ts'
import { refusalsInWords, refusalsOf } from './refusals.ts'
import { problemHeaders, replyHeaders, requestHeaders } from './headers.ts'

const ProblemSchema = z
  .object({
    type: z
      .string()
      .meta({ format: 'uri', description: 'A link to the explanation of the code in `/api-reference/errors`.' }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]),
    request_id: z.string(),
    errors: z
      .array(z.object({ path: z.string(), code: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'With 422: up to 50 invalid fields, each with its dotted `path`.' }),
    errors_omitted: z.int().optional().meta({ description: 'Number of invalid fields that `errors` does not list.' }),
  })
  .openapi('Problem', { description: 'RFC 9457 problem details. More members may be added.' })

const OAuthErrorSchema = z
  .object({ error: z.string(), error_description: z.string().optional() })
  .openapi('OAuthError', { description: 'RFC 6749 §5.2.' })

/** The OpenAPI operation of an endpoint, derived from its declaration. */
export function operation(spec: EndpointSpec): RouteConfig {
  const limit = spec.limit === null ? null : LIMITS[spec.limit as LimitName]
  const headers = requestHeaders(spec)
  return {
    method: spec.method,
    path: spec.path,
    operationId: spec.operationId,
    tags: [spec.tag],
    summary: spec.summary,
    description: description(spec),
    security: security(spec),
    request: {
      ...(spec.params ? { params: withExamples(spec.params, spec.example?.params) } : {}),
      ...(spec.query ? { query: withExamples(spec.query, spec.example?.query) } : {}),
      ...(headers ? { headers } : {}),
      ...(spec.body
        ? {
            body: {
              required: !spec.body.safeParse(undefined).success,
              content: { [BODY_TYPES[spec.bodyType ?? 'json']]: content(spec.body, spec.example?.body) },
            },
          }
        : {}),
    },
    responses: { ...replies(spec), ...problems(spec) },
    'x-scope': spec.auth === 'none' ? null : spec.scope,
    'x-rate-limit': limit && { policy: spec.limit, limit: limit.limit, window_ms: limit.windowMs, per: limit.per },
    'x-idempotent': spec.idempotent !== undefined,
    'x-error-codes': wireCodesOf(spec),
    'x-refusals': refusalsOf(spec),
  }
}

const REPLY_TYPES = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  html: 'text/html',
  text: 'text/plain',
} as const

const BODY_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  ndjson: 'application/x-ndjson',
} as const

function description(spec: EndpointSpec): string {
  const limit = spec.limit === null ? undefined : LIMITS[spec.limit as LimitName]
  const scopes = scopesOf(spec)
    .map((scope) => `\`${scope}\``)
    .join(' or ')
  const facts = [
    ...(spec.auth === 'none' ? ['No credential needed'] : []),
    ...(spec.auth === 'session' ? ['Needs a session token'] : []),
    ...(spec.auth === 'operator' ? ['Needs an operator key'] : []),
    ...(spec.auth !== 'none' && scopes !== '' ? [`Scope ${scopes}`] : []),
    ...(spec.reads ? [`Without \`${spec.reads}\`, what was there is returned in its short form`] : []),
    ...(limit ? [`At most ${limit.limit} in ${limit.windowMs / 1_000} s per ${limit.per}`] : []),
    ...(spec.idempotent ? ['Takes an `Idempotency-Key`'] : []),
  ]
  return [spec.description, refusalsInWords(spec), facts.join(' · ')].filter(Boolean).join('\n\n')
}

function security(spec: EndpointSpec): Record<string, string[]>[] {
  if (spec.auth === 'none') return []
  if (spec.auth === 'session') return [{ session: [] }]
  if (spec.auth === 'operator') return [{ operator: [] }]
  // A public client authenticates by nothing: it sends only its client_id.
  if (spec.auth === 'client') return [{ client: [] }, {}]
  const oauth2 = spec.scope === null ? [{ oauth2: [] }] : scopesOf(spec).map((scope) => ({ oauth2: [scope] }))
  return [{ apiKey: [] }, ...oauth2, { session: [] }]
}

function replies(spec: EndpointSpec): RouteConfig['responses'] {
  const type = REPLY_TYPES[spec.replyType ?? 'json']
  const lines = spec.replyLines && { [REPLY_TYPES.ndjson]: content(spec.replyLines, spec.example?.lines) }
  return Object.fromEntries(
    Object.entries(spec.reply).map(([status, schema]) => [
      status,
      {
        description: SUCCESS[Number(status)] ?? 'Done',
        headers: replyHeaders(spec, Number(status)),
        ...(schema && spec.links ? { links: linksOf(spec.links) } : {}),
        ...(schema ? { content: { [type]: content(schema, exampleReply(spec, status)), ...lines } } : {}),
      },
    ]),
  )
}

/** By the operation that each leads to. */
const linksOf = (links: readonly AnswerLink[]) =>
  Object.fromEntries(links.map(({ to, parameters }) => [to, { operationId: to, parameters: { ...parameters } }]))

const SUCCESS: Record<number, string> = {
  101: 'Switched to the WebSocket protocol',
  200: 'Done',
  201: 'Created',
  202: 'Accepted',
  204: 'Success, no content',
  302: 'Redirect',
  304: 'Not modified',
}

function problems(spec: EndpointSpec): RouteConfig['responses'] {
  return Object.fromEntries(
    [...errorsByStatus(spec)].map(([status, codes]) => [
      status,
      {
        description: codes,
        headers: problemHeaders(spec, status),
        content:
          spec.errorStyle === 'oauth'
            ? { 'application/json': { schema: OAuthErrorSchema } }
            : { 'application/problem+json': { schema: ProblemSchema } },
      },
    ]),
  )
}
