import { z } from '@hono/zod-openapi'

/** Characters of a namespace (contract §3). */
export const MAX_NAMESPACE_CHARACTERS = 128

/**
 * A namespace takes ids of users as they are, such as `alex@example.com` or `auth0|5f7c`. Of these characters `:` alone
 * ends a level of `namespace_prefix`, so each of them stands above `!` and below `~`, which bound ranges of names.
 */
const NAMESPACE = `[A-Za-z0-9._:@|+/=-]{1,${MAX_NAMESPACE_CHARACTERS}}`

export const Namespace = z.string().regex(new RegExp(`^${NAMESPACE}$`), `must match ${NAMESPACE}`)
