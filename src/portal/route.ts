import type { PageContext, PublicPageContext } from './page-context.ts'

/** As for the endpoints behind the forms: login and sign-up, JSON bodies, and an import with what the form adds. */
const MAX_BYTES = { public: 64 * 1024, form: 1024 * 1024, upload: 17 * 1024 * 1024 }

type Handler<Context> = (ctx: Context) => Promise<Response>

interface RouteOf<Context> {
  method: 'get' | 'post'
  /** Hono's syntax: `/portal/keys/:id`. */
  path: string
  /** Largest form in bytes. */
  maxBytes: number
  handle: Handler<Context>
}
export type Route = ({ auth: 'session' } & RouteOf<PageContext>) | ({ auth: 'none' } & RouteOf<PublicPageContext>)

/** A page of a signed-in user. */
export const page = (path: string, handle: Handler<PageContext>): Route => ({
  auth: 'session',
  method: 'get',
  path,
  maxBytes: 0,
  handle,
})

/** Receives a form of a signed-in user. It redirects, or renders the form again with its errors. */
export const formAction = (path: string, handle: Handler<PageContext>, maxBytes = MAX_BYTES.form): Route => ({
  auth: 'session',
  method: 'post',
  path,
  maxBytes,
  handle,
})

/** Receives a form of a signed-in user with a file. */
export const uploadAction = (path: string, handle: Handler<PageContext>): Route =>
  formAction(path, handle, MAX_BYTES.upload)

/** A page for everybody. */
export const publicPage = (path: string, handle: Handler<PublicPageContext>): Route => ({
  auth: 'none',
  method: 'get',
  path,
  maxBytes: 0,
  handle,
})

/** Receives a form of a public page. */
export const publicFormAction = (path: string, handle: Handler<PublicPageContext>): Route => ({
  auth: 'none',
  method: 'post',
  path,
  maxBytes: MAX_BYTES.public,
  handle,
})
