import { z } from '@hono/zod-openapi'

/**
 * One parameter of an OAuth request (RFC 6749 §3.1, §3.2). An empty one counts as absent. One that is sent twice is an
 * array, and so it is refused.
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

/** The authentication of a client in the form (RFC 6749 §2.3.1), which HTTP Basic replaces. */
export const clientParameters = {
  client_id: parameter('The application; may be left out with HTTP Basic.', 256),
  client_secret: parameter('The secret of a confidential application, unless HTTP Basic carries it.', 256),
}

/** Whether this service serves every resource that a client names: it issues no token for another service. */
export const areOwnResources = (resources: readonly string[], origin: string): boolean =>
  resources.every((uri) => {
    const url = URL.parse(uri)
    return url !== null && url.origin === origin && !uri.includes('#')
  })
