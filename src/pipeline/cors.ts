import { cors } from 'hono/cors'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from './app-env.ts'

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

const preflight = cors({ origin: '*', allowHeaders: REQUEST_HEADERS, maxAge: 86_400 })

/** Sets the headers after the answer is there: Hono copies an answer, body and all, if headers were set before it. */
export const crossOrigin = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.method === 'OPTIONS') return preflight(c, next)
  await next()
  c.res.headers.set('Access-Control-Allow-Origin', '*')
  c.res.headers.set('Access-Control-Expose-Headers', EXPOSED_HEADERS)
})
