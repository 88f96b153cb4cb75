import { readCookie, setCookie } from '../auth/index.ts'
import type { System } from '../core/context.ts'
import { toBase64Url } from '../core/values/encoding.ts'
import { HOUR_SECONDS } from '../core/values/durations.ts'

/** Before login a random cookie takes the session's place in the CSRF token, which prevents login CSRF (security 10). */
const VISITOR_COOKIE = '__Host-recollect_visitor'
const VISITOR_SECONDS = HOUR_SECONDS

/** The secret that a visitor's forms are bound to, and the cookie to set if the browser has none yet. */
export function visitorSecret(request: Request, system: System): { secret: string; cookies: string[] } {
  const current = readCookie(request.headers, VISITOR_COOKIE)
  if (current !== null && /^[\w-]{24}$/.test(current)) return { secret: current, cookies: [] }
  const secret = toBase64Url(system.random(18))
  return { secret, cookies: [setCookie(VISITOR_COOKIE, secret, VISITOR_SECONDS)] }
}
