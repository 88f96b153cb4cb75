import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import type { AppEnv } from './pipeline/app-env.ts'

/**
 * Logs one line for each request. It logs the route's pattern because a URL may contain a WebSocket's token, and ids
 * instead of names. No header, text or query of a client is logged.
 */
export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  const system = c.get('system')
  const startedAt = system.now()
  await next()
  if (!system.config.logRequests) return
  const principal = c.get('principal')
  system.log.info({
    event: 'request',
    request_id: c.get('requestId'),
    method: c.req.method,
    route: routePath(c),
    status: c.res.status,
    duration_ms: system.now() - startedAt,
    tenant_id: principal?.tenantId,
    user_id: principal?.userId,
    credential_id: principal?.credential.id,
    colo: c.req.raw.cf?.['colo'],
  })
})
