import { Hono } from 'hono'
import { createAuthorize } from './auth/index.ts'
import type { Endpoint } from './core/http/endpoint.ts'
import { AppError, notFound } from './core/errors.ts'
import { oauthProblem } from './core/http/oauth-error.ts'
import { problem } from './core/http/problem.ts'
import { depsOf } from './deps.ts'
import { endpoints } from './endpoints.ts'
import type { AppEnv } from './pipeline/app-env.ts'
import { CROSS_ORIGIN_PATHS, crossOrigin } from './pipeline/cors.ts'
import { setResponseHeaders } from './pipeline/response-headers.ts'
import { requestContextOf, run } from './pipeline/run.ts'
import { createPortal } from './portal/index.ts'
import { requestLog } from './request-log.ts'

/** Request id → cross-origin rules → endpoints → pages → 405, 404 and failures, in one place each. */
export function createApp(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()

  app.use(async (c, next) => {
    const system = depsOf(c.env)((work) => c.executionCtx.waitUntil(work))
    c.set('system', system)
    c.set('requestId', system.newId('req'))
    await next()
    setResponseHeaders(c)
  })
  app.use(requestLog)
  for (const path of CROSS_ORIGIN_PATHS) app.use(path, crossOrigin)

  for (const [path, here] of byPath(endpoints)) {
    const errorStyle = here[0]?.spec.errorStyle ?? 'problem'
    if (errorStyle === 'oauth') {
      app.use(path, (c, next) => {
        c.set('errorStyle', errorStyle)
        return next()
      })
    }
    for (const one of here) app.on(one.spec.method.toUpperCase(), path, (c) => run(one, c))
    const allow = here
      .map((one) => one.spec.method.toUpperCase())
      .sort()
      .join(', ')
    app.all(path, () => {
      throw new AppError('method_not_allowed', { detail: `This path takes ${allow}.`, headers: { Allow: allow } })
    })
  }

  app.route('/', createAuthorize<AppEnv>(requestContextOf))
  app.route(
    '/',
    createPortal<AppEnv>({
      dispatch: (c) => async (request) => app.fetch(request, c.env, c.executionCtx),
      system: (c) => c.get('system'),
    }),
  )

  app.notFound(() => {
    throw notFound('path')
  })
  app.onError((error, c) => {
    const { log, config } = c.get('system')
    return c.get('errorStyle') === 'oauth'
      ? oauthProblem(error, c.get('requestId'), log)
      : problem(error, c.get('requestId'), config.publicOrigin ?? new URL(c.req.url).origin, log)
  })
  return app
}

/** Endpoints by Hono path (`/v1/projects/:id`), so that a 405 can name the methods of its path. */
function byPath(list: readonly Endpoint[]): Map<string, Endpoint[]> {
  const paths = new Map<string, Endpoint[]>()
  for (const one of list) {
    const path = one.spec.path.replaceAll(/\{(\w+)\}/g, ':$1')
    paths.set(path, [...(paths.get(path) ?? []), one])
  }
  return paths
}
