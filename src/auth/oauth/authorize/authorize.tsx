import { and, eq } from 'drizzle-orm'
import { Hono, type Context } from 'hono'
import { decodeText, readBody, requireType } from '../../../core/http/body.ts'
import { authContext, type Principal, type RequestContext } from '../../../core/context.ts'
import { query } from '../../../core/database/query.ts'
import { AppError, isAppError } from '../../../core/errors.ts'
import type { LimitName } from '../../../core/limits.ts'
import { addressSubject, rateLimited } from '../../../limits/index.ts'
import { CSRF_FIELD, csrfToken, page, requireOwnForm, sessionCookie } from '../../pages/index.ts'
import { shardOf } from '../../../core/shards.ts'
import { users } from '../../table.ts'
import { readAuthorizationRequest, type AuthorizationRequest } from './authorization-request.ts'
import { MAX_FORM_BYTES } from '../parameters.ts'
import { formTargets } from '../redirect-uri.ts'
import { decide } from './consent.ts'
import { sessionEnded } from './issue-code.ts'
import { ConsentPage, RefusedPage, type SignedInUser } from './consent-page.tsx'

const PATH = '/auth/authorize'

/** The authorization endpoint (RFC 6749 §3.1): the consent page, and the form that it sends. */
export function createAuthorize<E extends { Bindings: object; Variables: { requestId: string } }>(
  requestContextOf: (c: Context<E>) => RequestContext,
): Hono<E> {
  const app = new Hono<E>()
  app.get(PATH, (c) => respond(requestContextOf(c), c.req.raw, 'read', showConsent))
  app.post(PATH, (c) => respond(requestContextOf(c), c.req.raw, 'write', receiveDecision))
  app.all(PATH, () => {
    throw new AppError('method_not_allowed', {
      detail: 'This path accepts GET, POST.',
      headers: { Allow: 'GET, POST' },
    })
  })
  return app
}

/** Who is signed in, and the session token that their forms are bound to. */
interface SignedIn {
  principal: Principal
  session: string
}

interface ConsentCall {
  request: Request
  authorization: AuthorizationRequest
  signedIn: SignedIn | null
}
type Handle = (ctx: RequestContext, call: ConsentCall) => Promise<Response>

/** Applies the limit, then reads the request, with a session or without: only the person who follows a broken link sees it. */
async function respond(
  ctx: RequestContext,
  request: Request,
  limit: 'read' | 'write',
  handle: Handle,
): Promise<Response> {
  try {
    const signedIn = await acquirePermit(ctx, sessionCookie(request.headers), limit)
    const next = await readAuthorizationRequest(ctx, new URL(request.url).searchParams)
    if (next.step === 'refuse') return await refusedPage(ctx, 400, 'This link does not work', next)
    if (next.step === 'redirect') return redirect(302, next.location)
    return await handle(ctx, { request, authorization: next.request, signedIn })
  } catch (error) {
    const known = isAppError(error) ? error : new AppError('internal', { detail: 'Something went wrong on our side.' })
    if (known.status >= 500) {
      ctx.log.error({ event: 'request.failed', request_id: ctx.requestId, code: known.code }, known.cause ?? error)
    }
    return refusedPage(ctx, known.status, 'This did not work', known, known.headers['Retry-After'])
  }
}

async function showConsent(ctx: RequestContext, { request, authorization, signedIn }: ConsentCall): Promise<Response> {
  const here = pathOf(request)
  if (!signedIn) return redirect(302, `/portal/sign-in?return=${encodeURIComponent(here)}`)
  const user = await loadUser(ctx, signedIn.principal)
  const csrf = await csrfToken(signedIn.session)
  return page(<ConsentPage user={user} request={authorization} csrf={csrf} here={here} />, {
    formAction: formTargets(authorization.redirectUri),
  })
}

async function receiveDecision(
  ctx: RequestContext,
  { request, authorization, signedIn }: ConsentCall,
): Promise<Response> {
  if (!signedIn) throw sessionEnded()
  requireType(request, 'application/x-www-form-urlencoded')
  const form = new URLSearchParams(decodeText(await readBody(request, MAX_FORM_BYTES)))
  // A form may come slowly: a session that has ended in the meantime approves nothing.
  if (!(await signedInBy(ctx, signedIn.session, []))) throw sessionEnded()
  await requireOwnForm(request, signedIn.session, form.get(CSRF_FIELD) ?? undefined)
  const decision = form.get('decision')
  if (decision !== 'approve' && decision !== 'deny') {
    throw new AppError('validation_failed', { detail: 'Choose Allow or Cancel.' })
  }
  const auth = authContext(ctx, signedIn.principal)
  return redirect(303, await decide(auth, authorization, decision === 'approve'))
}

/** Acquires a permit of the signed-in user, or one of the network address where nobody is signed in. */
async function acquirePermit(
  ctx: RequestContext,
  session: string | null,
  limit: 'read' | 'write',
): Promise<SignedIn | null> {
  const signedIn = session === null ? null : await signedInBy(ctx, session, [limit])
  if (signedIn) return signedIn
  const permit = await ctx.limiter.acquire('anonymous', addressSubject(ctx.client.ip))
  if (!permit.admitted) throw rateLimited([permit.state], permit.retryAt, ctx.now())
  return null
}

/** The user of a live session; null for every other token. */
async function signedInBy(ctx: RequestContext, session: string, permits: LimitName[]): Promise<SignedIn | null> {
  const token = await ctx.tokens.parse(session)
  if (token?.prefix !== 'rcs') return null
  const reply = await ctx.hub(token.routingId).admit({ kind: 'session', tokenHash: token.hash, permits })
  if (reply.outcome === 'limited') throw rateLimited(reply.limits, reply.retryAt, ctx.now())
  return reply.outcome === 'admitted' ? { principal: reply.principal, session } : null
}

const userById = query((db, by: { id: string; tenant: string }) =>
  db
    .select({ name: users.name, email: users.email, settings: users.settings })
    .from(users)
    .where(and(eq(users.id, by.id), eq(users.tenant_id, by.tenant))),
)

async function loadUser(ctx: RequestContext, principal: Principal): Promise<SignedInUser> {
  const db = ctx.database(shardOf(principal.routingId))
  const row = await db.first(userById, { id: principal.userId, tenant: principal.tenantId })
  const { theme } = JSON.parse(row?.settings ?? '{}') as Partial<SignedInUser>
  return { name: row?.name ?? '', email: row?.email ?? '', theme: theme ?? 'system' }
}

/** A return address must have no backslash, and a URL parser leaves one in a query as it is. */
function pathOf(request: Request): string {
  const { pathname, search } = new URL(request.url)
  return `${pathname}${search}`.replaceAll('\\', '%5C')
}

const redirect = (status: 302 | 303, location: string): Response =>
  new Response(null, {
    status,
    headers: { Location: location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
  })

const refusedPage = (
  ctx: RequestContext,
  status: number,
  title: string,
  what: { detail: string; advice?: string | undefined },
  retryAfter?: string,
): Promise<Response> =>
  page(<RefusedPage title={title} detail={what.detail} advice={what.advice} requestId={ctx.requestId} />, {
    status,
    headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter },
  })
