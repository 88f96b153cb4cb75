import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import type { AppEnv } from './pipeline/app-env.ts'

/**
 * One wide line a request. The route's pattern stands for the URL, whose query may hold a WebSocket's token,
 * and ids stand for people: no header, text or query of a client is ever logged.
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
