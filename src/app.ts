import { Hono, type Context } from 'hono'
import { createAuthorize, OPERATOR_PATH } from './auth/index.ts'
import { routePattern, type Endpoint } from './core/http/endpoint.ts'
import { AppError, notFound, sentenceOf } from './core/errors.ts'
import { oauthProblem } from './core/http/oauth-error.ts'
import { problem } from './core/http/problem.ts'
import { serviceOrigin } from './core/http/service-origin.ts'
import { Misconfigured } from './core/misconfigured.ts'
import { consoleLog } from './core/log.ts'
import { systemClock } from './core/values/clock.ts'
import { newId, systemRandom } from './core/values/ids.ts'
import { depsOf, type Deps } from './deps.ts'
import { endpoints } from './endpoints.ts'
import { createMcp } from './mcp/index.ts'
import type { AppEnv } from './pipeline/app-env.ts'
import { CROSS_ORIGIN_PATHS, crossOrigin, MCP_PATHS, mcpCrossOrigin } from './pipeline/cors.ts'
import { setResponseHeaders } from './pipeline/response-headers.ts'
import { markPageRead, passageOf, requestContextOf } from './pipeline/passage.ts'
import { RememberedRoutes } from './pipeline/remembered-routes.ts'
import { run, runInside } from './pipeline/run.ts'
import { createPortal } from './portal/index.ts'
import { createMetrics } from './reference/index.ts'
import { requestFigures } from './request-figures.ts'
import { requestLog } from './request-log.ts'

/** Request id → cross-origin rules → endpoints → pages → 405, 404 and failures, in one place each. */
export function createApp(): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ router: new RememberedRoutes() })

  app.use(async (c, next) => {
    const deps = foundDeps(c.env)
    if (deps instanceof Misconfigured) {
      c.set('requestId', newId('req', systemClock(), systemRandom))
      c.res = refusal(deps, c.get('requestId'), c.req.url)
      return setResponseHeaders(c)
    }
    const system = deps((work) => c.executionCtx.waitUntil(work))
    c.set('system', system)
    c.set('requestId', system.newId('req'))
    await next()
    setResponseHeaders(c)
  })
  app.use(requestLog)
  app.use(requestFigures(app))
  // Without a key nothing tells that there are operator paths.
  app.use(`${OPERATOR_PATH}/*`, async (c, next) => {
    if (c.get('system').operatorKeys === null) throw notFound('path')
    await next()
  })
  for (const path of CROSS_ORIGIN_PATHS) app.use(path, crossOrigin)
  for (const path of MCP_PATHS) app.use(path, mcpCrossOrigin)

  for (const [path, here] of byPath(endpoints)) {
    const errorStyle = here[0]?.spec.errorStyle ?? 'problem'
    if (errorStyle === 'oauth') {
      app.use(path, (c, next) => {
        c.set('errorStyle', errorStyle)
        return next()
      })
    }
    for (const one of here) app.on(one.spec.method.toUpperCase(), path, (c) => run(one, passageOf(c)))
    const allow = here
      .map((one) => one.spec.method.toUpperCase())
      .sort()
      .join(', ')
    app.all(path, () => {
      throw new AppError('method_not_allowed', { detail: `This path accepts ${allow}.`, headers: { Allow: allow } })
    })
  }

  app.route(
    '/',
    createAuthorize<AppEnv>((c) => requestContextOf(passageOf(c))),
  )
  app.route(
    '/',
    createMetrics<AppEnv>((c) => requestContextOf(passageOf(c))),
  )
  app.route(
    '/',
    createMcp<AppEnv>({
      contextOf: (c) => requestContextOf(passageOf(c)),
      run: (c, operation, inner) => runInside(operation, { ...passageOf(c), ...inner }),
      called: (c, principal) => c.set('principal', principal),
    }),
  )
  app.route(
    '/',
    createPortal<AppEnv>({
      dispatch: (c) => async (request, pageRead) => {
        if (pageRead) markPageRead(request)
        return app.fetch(request, c.env, c.executionCtx)
      },
      system: (c) => c.get('system'),
      auditActions: [...new Set(endpoints.flatMap(({ spec }) => spec.audit ?? []))],
    }),
  )

  // Nothing is thrown: the log and the figures, which wait for the answer, have its status too.
  app.notFound((c) => failure(notFound('path'), c))
  app.onError(failure)
  return app
}

/** What is wrong, where the deployment can answer nothing. */
function foundDeps(env: Env): Deps | Misconfigured {
  try {
    return depsOf(env)
  } catch (error) {
    if (error instanceof Misconfigured) return error
    throw error
  }
}

/** One line on every path: a guess where data is, or with which keys it was made, would be worse. */
function refusal(fault: Misconfigured, requestId: string, url: string): Response {
  const known = new AppError('dependency_unavailable', {
    detail: sentenceOf(fault.message),
    headers: { 'Retry-After': '60' },
    cause: fault,
  })
  return problem(known, requestId, new URL(url).origin, consoleLog)
}

function failure(error: Error, c: Context<AppEnv>): Response {
  const { log, config } = c.get('system')
  return c.get('errorStyle') === 'oauth'
    ? oauthProblem(error, c.get('requestId'), log)
    : problem(error, c.get('requestId'), serviceOrigin(config, new URL(c.req.url)), log)
}

/** Endpoints by Hono path (`/v1/projects/:id`), so that a 405 can name the methods of its path. */
function byPath(list: readonly Endpoint[]): Map<string, Endpoint[]> {
  const paths = new Map<string, Endpoint[]>()
  for (const one of list) {
    const path = routePattern(one.spec.path)
    for (const each of one.spec.finalSlash ? [path, `${path}/`] : [path]) {
      paths.set(each, [...(paths.get(each) ?? []), one])
    }
  }
  return paths
}
