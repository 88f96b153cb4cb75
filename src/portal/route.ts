import type { PageContext, PublicPageContext } from './page-context.ts'

type Handler<Context> = (ctx: Context) => Promise<Response>

interface RouteOf<Context> {
  method: 'get' | 'post'
  /** Hono's syntax: `/portal/keys/:id`. */
  path: string
  handle: Handler<Context>
}
export type Route = ({ auth: 'session' } & RouteOf<PageContext>) | ({ auth: 'none' } & RouteOf<PublicPageContext>)

/** A page of a signed-in user. */
export const page = (path: string, handle: Handler<PageContext>): Route => ({
  auth: 'session',
  method: 'get',
  path,
  handle,
})

/** Receives a form of a signed-in user. It redirects, or renders the form again with its errors. */
export const formAction = (path: string, handle: Handler<PageContext>): Route => ({
  auth: 'session',
  method: 'post',
  path,
  handle,
})

/** A page for everybody. */
export const publicPage = (path: string, handle: Handler<PublicPageContext>): Route => ({
  auth: 'none',
  method: 'get',
  path,
  handle,
})

/** Receives a form of a public page. */
export const publicFormAction = (path: string, handle: Handler<PublicPageContext>): Route => ({
  auth: 'none',
  method: 'post',
  path,
  handle,
})
