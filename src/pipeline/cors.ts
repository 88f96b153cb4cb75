import { cors } from 'hono/cors'
import { createMiddleware } from 'hono/factory'
import { OPERATOR_PATH } from '../auth/index.ts'
import type { AppEnv } from './app-env.ts'
import { DAY_SECONDS } from '../core/values/durations.ts'

const EXPOSED_HEADERS = [
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'ETag',
  'Idempotent-Replayed',
  'WWW-Authenticate',
].join(',')

const REQUEST_HEADERS = [
  'Authorization',
  'X-Session-Token',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  // Agents in a browser send it with the discovery of metadata too.
  'MCP-Protocol-Version',
]

/** Headers of MCP's Streamable HTTP, of the revision 2026-07-28 and of older ones. */
const MCP_REQUEST_HEADERS = [
  'Authorization',
  'X-Session-Token',
  'Content-Type',
  'Accept',
  'Mcp-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Session-Id',
  'Last-Event-ID',
]

/** Paths that any origin may call, without cookies (contract §1). */
export const CROSS_ORIGIN_PATHS = [
  '/api/*',
  '/v1/*',
  ...['login', 'logout', 'register-user', 'token', 'revoke', 'introspect', 'register'].map((name) => `/auth/${name}`),
  '/.well-known/*',
  '/api-reference/openapi.json',
  '/api-reference/asyncapi.json',
]

/** Of the MCP server, with or without a project and a trailing slash. No cookie opens it. */
export const MCP_PATHS = ['/mcp', '/mcp/*']

/** Sets the headers after the answer is there: Hono copies an answer, body and all, if headers were set before it. */
const crossOriginWith = (allowHeaders: string[]) => {
  const preflight = cors({ origin: '*', allowHeaders, maxAge: DAY_SECONDS })
  return createMiddleware<AppEnv>(async (c, next) => {
    // No page holds the key of an operator.
    if (c.req.path.startsWith(`${OPERATOR_PATH}/`)) return next()
    if (c.req.method === 'OPTIONS') return preflight(c, next)
    await next()
    c.res.headers.set('Access-Control-Allow-Origin', '*')
    c.res.headers.set('Access-Control-Expose-Headers', EXPOSED_HEADERS)
  })
}

export const crossOrigin = crossOriginWith(REQUEST_HEADERS)
export const mcpCrossOrigin = crossOriginWith(MCP_REQUEST_HEADERS)
