import { Hono, type Context } from 'hono'
import { clearCookie, CSRF_FIELD, csrfToken, requireOwnForm, SESSION_COOKIE, sessionCookie } from '../auth/index.ts'
import type { System } from '../core/context.ts'
import { AppError, isAppError, notFound } from '../core/errors.ts'
import { serviceOrigin } from '../core/http/service-origin.ts'
import type { User } from '../identity/index.ts'
import { addressSubject, rateLimited } from '../limits/index.ts'
import { Api, type Dispatch } from './api.ts'
import { openFlash } from './flash.ts'
import { readForm } from './form.ts'
import type { PageContext, PublicPageContext } from './page-context.ts'
import { redirect, renderError } from './respond.tsx'
import type { Route } from './route.ts'
import { routes } from './routes.ts'
import { visitorSecret } from './visitor-cookie.ts'

/** The part of the Worker that the portal needs: the public API, and the system of one request. */
export interface PortalHost<E extends { Bindings: object; Variables: { requestId: string } }> {
  dispatch(c: Context<E>): Dispatch
  system(c: Context<E>): System
  /** The audit actions of all endpoints. */
  auditActions: readonly string[]
}

/** The developer portal: server-rendered pages and forms over the public API, authenticated by a session cookie. */
export function createPortal<E extends { Bindings: object; Variables: { requestId: string } }>(
  host: PortalHost<E>,
): Hono<E> {
  const app = new Hono<E>()
  for (const route of routes) {
    app.on(route.method.toUpperCase(), route.path, (c) =>
      serve(route, c, { dispatch: host.dispatch(c), system: host.system(c), auditActions: host.auditActions }),
    )
  }
  for (const [path, allow] of methodsByPath()) {
    app.all(path, (c) =>
      renderError(
        null,
        new AppError('method_not_allowed', { detail: `This page accepts ${allow}.`, headers: { Allow: allow } }),
        c.get('requestId'),
      ),
    )
  }
  app.get('/portal/', () => redirect('/portal'))
  app.all('/portal/*', (c) => renderError(null, new AppError('not_found'), c.get('requestId')))
  return app
}

function methodsByPath(): Map<string, string> {
  const methods = Map.groupBy(routes, ({ path }) => path)
  return new Map(
    [...methods].map(([path, here]) => [path, here.map(({ method }) => method.toUpperCase()).join(', ')] as const),
  )
}

interface HonoContext {
  req: { raw: Request; param(): Record<string, string> }
  get(name: 'requestId'): string
}

/** The context that the Worker gives a page of one request. */
interface Given {
  dispatch: Dispatch
  system: System
  auditActions: readonly string[]
}

async function serve(route: Route, c: HonoContext, given: Given): Promise<Response> {
  const { dispatch, system } = given
  const request = c.req.raw
  let ctx: PageContext | null = null
  try {
    const session = await sessionIn(request, system)
    if (route.auth === 'none') {
      await chargeAddress(request, system)
      const { secret, cookies } = session === null ? visitorSecret(request, system) : { secret: session, cookies: [] }
      return await route.handle(await readPage(route, c, given, { session, secret, cookies }))
    }
    if (session === null) {
      await chargeAddress(request, system)
      return refuseVisitor(request)
    }
    // The API admits the session before the form is read: nobody makes the service read a file for nothing.
    const [me, flash] = await Promise.all([
      signedIn(new Api(dispatch, request, session), request, system),
      openFlash(request.headers, session),
    ])
    const publicCtx = await readPage(route, c, given, { session, secret: session, cookies: [] })
    ctx = { ...publicCtx, session, me, flash }
    requireIds(ctx.params)
    return await route.handle(ctx)
  } catch (error) {
    const known = isAppError(error) ? error : new AppError('internal', { detail: FAILED, cause: error })
    if (known.status === 401 && route.auth === 'session') return toSignIn(request)
    if (known.status >= 500) {
      const line = { event: 'portal.failed', request_id: c.get('requestId'), code: known.code }
      system.log.error(line, known.cause ?? error)
    }
    return renderError(ctx, known, c.get('requestId'))
  }
}

/** The context of a request. Throws 403 for a form of another browser or origin (security 8). */
async function readPage(
  route: Route,
  c: HonoContext,
  { dispatch, system, auditActions }: Given,
  { session, secret, cookies }: { session: string | null; secret: string; cookies: string[] },
): Promise<PublicPageContext> {
  const request = c.req.raw
  const url = new URL(request.url)
  const form = await readForm(request, route.maxBytes)
  if (request.method === 'POST') await requireOwnForm(request, secret, form.raw(CSRF_FIELD))
  return {
    request,
    url,
    origin: serviceOrigin(system.config, url),
    params: c.req.param(),
    form,
    system,
    auditActions,
    api: new Api(dispatch, request, session),
    csrf: await csrfToken(secret),
    cookies,
  }
}

/**
 * Every parameter of a page's path is an id, and pages put it into paths of the API. 404 for anything else, since a slash,
 * a dot segment or a question mark would lead to another path (security 50).
 */
function requireIds(params: Record<string, string>): void {
  if (!Object.values(params).every((value) => /^\w{1,64}$/.test(value))) throw notFound('page')
}

/** The session token in the cookie; null where this service did not make it, so that nothing is done for it. */
async function sessionIn(request: Request, system: System): Promise<string | null> {
  const token = sessionCookie(request.headers)
  const parsed = token === null ? null : await system.tokens.parse(token)
  return parsed?.prefix === 'rcs' ? token : null
}

/** The signed-in person. A session that has ended is charged as a visitor is. */
async function signedIn(api: Api, request: Request, system: System): Promise<User> {
  try {
    return await api.get<User>('/api/users/me')
  } catch (error) {
    if (isAppError(error) && error.status === 401) await chargeAddress(request, system)
    throw error
  }
}

/** Charges visitors to the limit on unauthenticated calls (contract §6). */
async function chargeAddress(request: Request, system: System): Promise<void> {
  const ip = request.headers.get('cf-connecting-ip') ?? '0.0.0.0'
  const charge = await system.limiter.acquire('anonymous', addressSubject(ip))
  if (!charge.admitted) throw rateLimited([charge.state], charge.retryAt, system.now())
}

/** Without a session a page redirects to the sign-in page, and a form is refused unread. */
function refuseVisitor(request: Request): Response {
  if (request.method !== 'POST') return toSignIn(request)
  throw new AppError('forbidden', { detail: 'Your session has ended. Sign in and send the form again.' })
}

const FAILED = 'Something went wrong on our side.'

/** Clears the cookie of a session that has ended. Only a page can be returned to: the fields of a form are lost. */
function toSignIn(request: Request): Response {
  const { pathname, search } = new URL(request.url)
  const back =
    request.method === 'GET' && pathname !== '/portal' ? `?return=${encodeURIComponent(pathname + search)}` : ''
  return redirect(`/portal/sign-in${back}`, [clearCookie(SESSION_COOKIE)])
}
