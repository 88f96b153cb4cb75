import type { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import { countFigure } from './audit/index.ts'
import type { AppEnv } from './pipeline/app-env.ts'

/** The label of a request that no route declares. A client chooses its method and path, and must not make series of its own. */
const OTHER = 'other'

/** A page of the portal calls the API, whose routes count by themselves: its pages are one route. */
const figureRoute = (path: string): string => (/^\/portal(\/|$)/.test(path) ? '/portal/*' : path)

/** Method and pattern of each route that `app` declares for a method. Figures of requests have no others. */
export const declaredRoutes = (app: Pick<Hono<AppEnv>, 'routes'>): Set<string> =>
  new Set(
    app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${figureRoute(path)}`),
  )

/** Counts each request for `GET /metrics`, by the pattern of its route and never by its URL. */
export function requestFigures(app: Pick<Hono<AppEnv>, 'routes'>) {
  let declared: Set<string> | undefined
  return createMiddleware<AppEnv>(async (c, next) => {
    const system = c.get('system')
    if (system.metricsToken === null) return next()
    const since = system.now()
    await next()
    const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
    const route = figureRoute(routePath(c))
    declared ??= declaredRoutes(app)
    const isDeclared = declared.has(`${method} ${route}`)
    countFigure(system, {
      family: 'request',
      labels: [isDeclared ? method : OTHER, isDeclared ? route : OTHER, `${Math.floor(c.res.status / 100)}xx`],
      durationMs: system.now() - since,
    })
  })
}
