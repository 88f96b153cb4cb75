import { z } from '@hono/zod-openapi'

/**
 * One parameter of an OAuth request. Without a value it counts as absent, sent twice it is an array and so refused
 * (RFC 6749 §3.1, §3.2); members that an endpoint does not name are ignored.
 */
export const parameter = (description: string, max = 4_096) =>
  z
    .string()
    .max(max)
    .optional()
    .transform((value) => (value === '' ? undefined : value))
    .meta({ description })

/** `resource` is the one parameter that may come several times (RFC 8707 §2). */
export const resourceParameter = z
  .union([z.string(), z.array(z.string()).max(8)])
  .optional()
  .transform((value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]).filter((uri) => uri !== ''))
  .meta({ description: 'Resource indicator (RFC 8707): an address of this service.' })

/** How a client names and proves itself in the form (RFC 6749 §2.3.1); HTTP Basic does without them. */
export const clientParameters = {
  client_id: parameter('The application; may be left out with HTTP Basic.', 256),
  client_secret: parameter('The secret of a confidential application, unless HTTP Basic carries it.', 256),
}

/** Whether every resource that a client names is served here: another's token must not come from us. */
export const isOurs = (resources: readonly string[], origin: string): boolean =>
  resources.every((uri) => {
    const url = URL.parse(uri)
    return url !== null && url.origin === origin && !uri.includes('#')
  })
