import { readCookie, setCookie } from '../auth/index.ts'
import type { System } from '../core/context.ts'
import { toBase64Url } from '../core/values/encoding.ts'
import type { User } from '../identity/index.ts'
import type { Api } from './api.ts'
import type { Flash } from './flash.ts'
import type { Form } from './form.ts'

/** One request for a page that anybody may open. */
export interface PublicPageContext {
  request: Request
  url: URL
  params: Record<string, string>
  form: Form
  system: System
  api: Api
  /** For the forms of the page: bound to the session, or to the visitor's cookie before there is one. */
  csrf: string
  /** Cookies to set with the answer. */
  cookies: string[]
}

/** One request of a signed-in user. */
export interface PageContext extends PublicPageContext {
  session: string
  /** As `/api/users/me` tells. */
  me: User
  flash: Flash | null
}

interface RouteOf<V> {
  method: 'get' | 'post'
  /** Hono form: `/portal/keys/:id`. */
  path: string
  handle(ctx: V): Promise<Response>
}
export type Route = ({ guard: 'session' } & RouteOf<PageContext>) | ({ guard: 'none' } & RouteOf<PublicPageContext>)

type Handle<V> = (ctx: V) => Promise<Response>

/** A page of a signed-in user. */
export const view = (path: string, handle: Handle<PageContext>): Route => ({
  guard: 'session',
  method: 'get',
  path,
  handle,
})

/** What a form of a signed-in user does; it ends in a redirect, or in the form again with what was wrong. */
export const action = (path: string, handle: Handle<PageContext>): Route => ({
  guard: 'session',
  method: 'post',
  path,
  handle,
})

export const openView = (path: string, handle: Handle<PublicPageContext>): Route => ({
  guard: 'none',
  method: 'get',
  path,
  handle,
})

export const openAction = (path: string, handle: Handle<PublicPageContext>): Route => ({
  guard: 'none',
  method: 'post',
  path,
  handle,
})

/** Before login a random cookie takes the session's place in the forms, which closes login CSRF (security 10). */
const VISITOR_COOKIE = '__Host-recollect_visitor'
const VISITOR_SECONDS = 3_600

/** The secret that a visitor's forms are bound to, with the cookie to set where the browser has none yet. */
export function visitorSecret(request: Request, system: System): { secret: string; cookies: string[] } {
  const known = readCookie(request.headers, VISITOR_COOKIE)
  if (known !== null && /^[\w-]{24}$/.test(known)) return { secret: known, cookies: [] }
  const secret = toBase64Url(system.random(18))
  return { secret, cookies: [setCookie(VISITOR_COOKIE, secret, VISITOR_SECONDS)] }
}
