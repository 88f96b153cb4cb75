import type { Context } from 'hono'
import type { AppEnv } from './app-env.ts'

/** A year, for this host alone. The operator decides about the other hosts of the domain. */
const HSTS = 'max-age=31536000'

/** Sets the headers of every answer (contract §1). */
export function setResponseHeaders(c: Context<AppEnv>): void {
  const { headers } = c.res
  headers.set('X-Request-Id', c.get('requestId'))
  headers.set('X-Content-Type-Options', 'nosniff')
  // A browser ignores it over http (RFC 6797 §8.1), so only an answer over https carries it.
  if (c.req.raw.url.startsWith('https:')) headers.set('Strict-Transport-Security', HSTS)
}
