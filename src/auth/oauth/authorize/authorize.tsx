import { Hono, type Context } from 'hono'
import { decodeText, readBody, requireType } from '../../../core/http/body.ts'
import { newTrail, type AuthContext, type Principal, type RequestContext } from '../../../core/context.ts'
import { AppError, isAppError } from '../../../core/errors.ts'
import { addressSubject, rateLimited, type LimitName } from '../../../limits/index.ts'
import { CSRF_FIELD, csrfToken, page, requireOwnForm, sessionCookie } from '../../pages/index.ts'
import { shardOf } from '../../credentials/tokens.ts'
import { readAuthorizeRequest, type AuthorizeRequest } from './authorization-request.ts'
import { decide } from './consent.ts'
import { sessionEnded } from './issue-code.ts'
import { ConsentPage, RefusedPage, type Asked } from './consent-page.tsx'

const MAX_FORM_BYTES = 16 * 1024
const PATH = '/auth/authorize'

/** The authorization endpoint (RFC 6749 §3.1): a page to approve or deny on, and the form that it sends. */
export function createAuthorize<E extends { Bindings: object; Variables: { requestId: string } }>(
  requestContextOf: (c: Context<E>) => RequestContext,
): Hono<E> {
  const app = new Hono<E>()
  app.get(PATH, (c) => answer(requestContextOf(c), c.req.raw, 'read', ask))
  app.post(PATH, (c) => answer(requestContextOf(c), c.req.raw, 'write', receive))
  app.all(PATH, () => {
    throw new AppError('method_not_allowed', { detail: 'This path takes GET, POST.', headers: { Allow: 'GET, POST' } })
  })
  return app
}

interface Asking {
  request: Request
  asking: AuthorizeRequest
  /** Who is signed in, with the session token that forms are bound to. */
  signedIn: { principal: Principal; session: string } | null
}
type Handle = (ctx: RequestContext, asking: Asking) => Promise<Response>

/** Limit first, then the request, session or not: a broken link is told to nobody but the person who followed it. */
async function answer(
  ctx: RequestContext,
  request: Request,
  limit: 'read' | 'write',
  handle: Handle,
): Promise<Response> {
  try {
    const signedIn = await admit(ctx, sessionCookie(request.headers), limit)
    const reading = await readAuthorizeRequest(ctx, new URL(request.url).searchParams)
    if (reading.outcome === 'refused') return await refused(ctx, 400, 'This link does not work', reading.detail)
    if (reading.outcome === 'redirect') return goTo(302, reading.location)
    return await handle(ctx, { request, asking: reading.request, signedIn })
  } catch (error) {
    const known = isAppError(error) ? error : new AppError('internal', { detail: 'Something went wrong on our side.' })
    if (known.status >= 500) {
      ctx.log.error({ event: 'request.failed', request_id: ctx.requestId, code: known.code }, known.cause ?? error)
    }
    return refused(ctx, known.status, 'This did not work', known.detail, known.headers['Retry-After'])
  }
}

async function ask(ctx: RequestContext, { request, asking, signedIn }: Asking): Promise<Response> {
  const here = pathOf(request)
  if (!signedIn) return goTo(302, `/portal/sign-in?return=${encodeURIComponent(here)}`)
  const asked = await whoIsAsked(ctx, signedIn.principal)
  return page(<ConsentPage asked={asked} request={asking} csrf={await csrfToken(signedIn.session)} here={here} />, {
    formAction: formTargets(asking.redirectUri),
  })
}

async function receive(ctx: RequestContext, { request, asking, signedIn }: Asking): Promise<Response> {
  requireType(request, 'application/x-www-form-urlencoded')
  const form = new URLSearchParams(decodeText(await readBody(request, MAX_FORM_BYTES)))
  // Once more, since a form may come slowly: a session that has ended in the meantime approves nothing.
  if (!signedIn || !(await signedInWith(ctx, signedIn.session, []))) throw sessionEnded()
  await requireOwnForm(request, signedIn.session, form.get(CSRF_FIELD) ?? undefined)
  const decision = form.get('decision')
  if (decision !== 'approve' && decision !== 'deny') {
    throw new AppError('validation_failed', { detail: 'Choose one of the two buttons.' })
  }
  const { principal } = signedIn
  const auth: AuthContext = {
    ...ctx,
    principal,
    db: ctx.database(shardOf(principal.routingId)),
    idempotency: null,
    trail: newTrail(),
  }
  return goTo(303, await decide(auth, asking, decision === 'approve'))
}

/** Who is signed in, within their limit; without a live session the limit is the address's, and nobody is. */
async function admit(
  ctx: RequestContext,
  session: string | null,
  limit: 'read' | 'write',
): Promise<Asking['signedIn']> {
  const signedIn = session === null ? null : await signedInWith(ctx, session, [limit])
  if (signedIn) return signedIn
  const taken = await ctx.limiter.acquire('anonymous', addressSubject(ctx.client.ip))
  if (!taken.admitted) throw rateLimited([taken.state], taken.retryAt, ctx.now())
  return null
}

/** Whose live session it is; null where it is none. */
async function signedInWith(ctx: RequestContext, session: string, permits: LimitName[]): Promise<Asking['signedIn']> {
  const token = await ctx.tokens.parse(session)
  if (token?.prefix !== 'rcs') return null
  const reply = await ctx.hub(token.routingId).admit({ kind: 'session', tokenHash: token.hash, permits })
  if (reply.outcome === 'limited') throw rateLimited(reply.limits, reply.retryAt, ctx.now())
  return reply.outcome === 'admitted' ? { principal: reply.principal, session } : null
}

async function whoIsAsked(ctx: RequestContext, principal: Principal): Promise<Asked> {
  const row = await ctx
    .database(shardOf(principal.routingId))
    .first<{ name: string; email: string | null; settings: string }>(
      'select name, email, settings from users where id = ? and tenant_id = ?',
      principal.userId,
      principal.tenantId,
    )
  const { theme } = JSON.parse(row?.settings ?? '{}') as Partial<Asked>
  return { name: row?.name ?? '', email: row?.email ?? '', theme: theme ?? 'system' }
}

/** A URL parser leaves a backslash in a query as it is, and a return address must have none. */
function pathOf(request: Request): string {
  const { pathname, search } = new URL(request.url)
  return `${pathname}${search}`.replaceAll('\\', '%5C')
}

/**
 * What `form-action` must let through besides ourselves: browsers hold every redirect after the form against it, the
 * application's own ones too, and those may lead to any of its https origins.
 */
const formTargets = (redirectUri: string): string[] =>
  redirectUri.startsWith('https:') ? ['https:'] : ['https:', new URL(redirectUri).origin]

const goTo = (status: 302 | 303, location: string): Response =>
  new Response(null, {
    status,
    headers: { Location: location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
  })

const refused = (
  ctx: RequestContext,
  status: number,
  title: string,
  detail: string,
  retryAfter?: string,
): Promise<Response> =>
  page(<RefusedPage title={title} detail={detail} requestId={ctx.requestId} />, {
    status,
    headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter },
  })
