import { Hono, type Context } from 'hono'
import type { RequestContext } from '../../core/context.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { timingSafeEqual } from '../../core/values/hash.ts'
import { utf8 } from '../../core/values/encoding.ts'
import { addressSubject, rateLimited } from '../../limits/index.ts'
import { metricsOf } from './metrics-of.ts'
import { CONTENT_TYPE, print } from './openmetrics.ts'
import { readRows } from './read-rows.ts'

const PATH = '/metrics'

/** `GET /metrics`, for the operator's scraper: figures of the whole deployment as OpenMetrics text (contract §7). */
export function createMetrics<E extends object>(contextOf: (c: Context<E>) => RequestContext): Hono<E> {
  const app = new Hono<E>()
  app.get(PATH, async (c) => answer(contextOf(c), c.req.raw))
  app.all(PATH, (c) => {
    if (contextOf(c).metricsToken === null) throw notFound('path')
    throw new AppError('method_not_allowed', { detail: 'This path accepts GET.', headers: { Allow: 'GET' } })
  })
  return app
}

async function answer(ctx: RequestContext, request: Request): Promise<Response> {
  await requireToken(ctx, request.headers.get('authorization'))
  const { text, leftOut } = print(metricsOf(await readRows(ctx), ctx.now()))
  if (leftOut > 0) ctx.log.error({ event: 'metrics.too_many_series', alert: true, left_out: leftOut })
  return new Response(text, { headers: { 'Content-Type': CONTENT_TYPE, 'Cache-Control': 'no-store' } })
}

/** 404 where the deployment has no token. A wrong one is 401 and counts against its address, so that nobody guesses on. */
async function requireToken(ctx: RequestContext, authorization: string | null): Promise<void> {
  if (ctx.metricsToken === null) throw notFound('path')
  const presented = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? ''
  if (await isSame(presented, ctx.metricsToken)) return
  const permit = await ctx.limiter.acquire('anonymous', addressSubject(ctx.client.ip))
  if (!permit.admitted) throw rateLimited([permit.state], permit.retryAt, ctx.now())
  throw new AppError(presented === '' ? 'unauthenticated' : 'invalid_token', {
    detail: 'This path needs the METRICS_TOKEN of the operator in Authorization: Bearer.',
    headers: { 'WWW-Authenticate': 'Bearer realm="metrics"' },
  })
}

/** Compares hashes, so that not even the length shows. */
async function isSame(presented: string, expected: string): Promise<boolean> {
  const [a, b] = await Promise.all([presented, expected].map((text) => crypto.subtle.digest('SHA-256', utf8(text))))
  return a !== undefined && b !== undefined && timingSafeEqual(new Uint8Array(a), new Uint8Array(b))
}
