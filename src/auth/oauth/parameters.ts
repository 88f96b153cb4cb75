import { z } from '@hono/zod-openapi'

/**
 * Bound of a request to token, revoke or introspect, which is read before the client is known. The longest legal one has a
 * redirect URI of 4,096 characters, each as three bytes in the form, and some hundred bytes besides.
 */
export const MAX_FORM_BYTES = 16 * 1024

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

/** `resource` is the only repeatable parameter (RFC 8707 §2). */
export const resourceParameter = z
  .union([z.string(), z.array(z.string()).max(8)])
  .optional()
  .transform((value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]).filter((uri) => uri !== ''))
  .meta({
    // Generators cannot read a union in a form.
    type: 'string',
    description: 'Resource indicator (RFC 8707): an address of this service. It may be repeated.',
  })

/** The authentication of a client in the form (RFC 6749 §2.3.1), which HTTP Basic replaces. */
export const clientParameters = {
  client_id: parameter('The application. Optional with HTTP Basic.', 2_000),
  client_secret: parameter('The secret of a confidential application, unless it is in HTTP Basic.', 256),
}
