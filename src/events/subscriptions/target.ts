import { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { invalid } from '../../core/errors.ts'
import { ownRecord } from '../../core/http/own-record.ts'
import { resolvedFault, urlFault, type TargetFault } from '../../core/http/target-guard.ts'

const MAX_HEADERS = 20

/**
 * Header names that the service, the connection or the network sets (security 38). Of `cf-*`, the two headers of a service
 * token are the sender's own: a receiver behind Cloudflare Access asks for them.
 */
const FORBIDDEN =
  /^(host|content-.*|connection|cookie2?|set-cookie|transfer-encoding|te|trailer|upgrade|expect|keep-alive|via|forwarded|user-agent|accept-encoding|origin|referer|date|webhook-.*|svix-.*|cf-(?!access-client-(?:id|secret)$).*|cdn-loop|x-forwarded-.*|x-real-ip|true-client-ip|proxy-.*|sec-.*)$/i

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/
const HeaderName = z
  .string()
  .regex(HEADER_NAME, 'A header name must be an HTTP token of at most 128 characters.')
  // CGI and WSGI make one variable of `webhook_id` and `webhook-id`.
  .refine((name) => !FORBIDDEN.test(name.replaceAll('_', '-')), {
    message: 'The service or the connection sets this header.',
    params: { code: 'forbidden_header' },
  })
const HeaderValue = z
  .string()
  .regex(/^[\x21-\x7e]([\x20-\x7e]{0,4094}[\x21-\x7e])?$/, 'must be printable ASCII of at most 4,096 characters')

export const targetFields = {
  method: z.literal('webhook'),
  url: z
    .string()
    .max(2_048)
    .meta({ format: 'uri', examples: ['https://example.com/hooks/recollect'] }),
  headers: ownRecord(HeaderName, HeaderValue)
    .refine((headers) => Object.keys(headers).length <= MAX_HEADERS, `must have at most ${MAX_HEADERS} headers`)
    .meta({
      propertyNames: { pattern: HEADER_NAME.source },
      maxProperties: MAX_HEADERS,
      description: 'Sent with every request. Encrypted at rest and never shown again.',
    }),
}

const MESSAGES: Record<TargetFault, string> = {
  invalid_url: 'This is not an http URL.',
  https_required: 'A webhook URL must be HTTPS.',
  user_info: 'The URL cannot contain user info.',
  private_target: 'The URL points into a private network.',
  own_service: 'The URL points to this service itself.',
}

/** Why a target is refused (`EndpointSpec.refusals`). */
export const TARGET_REFUSALS = {
  invalid_url: '`delivery.url` is not an http URL',
  https_required: '`delivery.url` is not https',
  user_info: '`delivery.url` contains user info',
  private_target: '`delivery.url` points into a private network',
  own_service: '`delivery.url` points to this service',
  forbidden_header: 'a header is one that the service or the connection sets',
  invalid_key: 'a header is named `__proto__`',
}

/** Throws 422 where the target guard refuses the URL. A host name without an answer passes, because it is checked before each attempt. */
export async function requireTarget(
  ctx: Pick<AuthContext, 'config' | 'client' | 'resolver'>,
  url: string,
): Promise<void> {
  const { allowPrivateWebhooks, publicHosts } = ctx.config
  const ownHosts = [...publicHosts, new URL(ctx.client.origin).hostname]
  const fault =
    urlFault(url, ownHosts, allowPrivateWebhooks) ??
    (await resolvedFault(url, ctx.resolver, allowPrivateWebhooks).catch(() => null))
  if (fault) throw invalid('delivery.url', fault, MESSAGES[fault])
}
