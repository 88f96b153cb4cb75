import { generateCookie } from 'hono/cookie'
import { parse } from 'hono/utils/cookie'

/** This cookie holds the session token (contract §2), out of reach of scripts and other origins (security 42). */
export const SESSION_COOKIE = '__Host-recollect_session'

/** The session token in the cookie of a request, or null. */
export const sessionCookie = (headers: Headers): string | null => readCookie(headers, SESSION_COOKIE)

export const readCookie = (headers: Headers, name: string): string | null =>
  parse(headers.get('cookie') ?? '', name)[name] ?? null

/** The `Set-Cookie` value of a cookie whose name begins with `__Host-`; `maxAge` is in seconds. */
export const setCookie = (name: string, value: string, maxAge: number): string =>
  generateCookie(name, value, { path: '/', maxAge, secure: true, httpOnly: true, sameSite: 'Lax' })

export const clearCookie = (name: string): string => setCookie(name, '', 0)
