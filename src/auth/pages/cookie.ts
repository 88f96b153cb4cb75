import { parse } from 'hono/utils/cookie'

/** The browser's session: the session token itself (contract §2), out of reach of scripts and other origins (security 42). */
export const SESSION_COOKIE = '__Host-recollect_session'

/** The session token that a browser brought, or null. */
export const sessionCookie = (headers: Headers): string | null => readCookie(headers, SESSION_COOKIE)

export const readCookie = (headers: Headers, name: string): string | null =>
  parse(headers.get('cookie') ?? '', name)[name] ?? null

/** A `Set-Cookie` value; `value` must be of cookie characters (RFC 6265 §4.1.1), as tokens and base64url are. */
export const setCookie = (name: string, value: string, maxAgeSeconds: number): string =>
  `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; Secure; HttpOnly; SameSite=Lax`

export const clearCookie = (name: string): string => setCookie(name, '', 0)
