import { expect, test } from 'vitest'
import { endpoints } from '../src/endpoints.ts'

const names = endpoints.map(({ spec }) => `${spec.method.toUpperCase()} ${spec.path}`)

test('each endpoint is declared once', () => {
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

/** What the customer gave and what contract §3 and §4 add to it: no path may be lost or renamed within a version. */
test.each([
  'POST /auth/token',
  'POST /auth/login',
  'POST /auth/logout',
  'POST /auth/register-user',
  'POST /auth/revoke',
  'POST /auth/introspect',
  'POST /auth/register',
  'POST /api/memory/store',
  'GET /api/memory/retrieve',
  'POST /api/memory/search',
  'POST /api/memory/batch',
  'GET /v1/memory/items',
  'GET /v1/memory/items/{id}',
  'PATCH /v1/memory/items/{id}',
  'DELETE /v1/memory/items/{id}',
  'GET /v1/memory/items/{id}/versions',
  'POST /v1/memory/items/{id}/embed',
  'POST /v1/memory/delete',
  'GET /v1/memory/export',
  'POST /v1/memory/import',
  'GET /v1/audit',
  'GET /v1/usage',
  'POST /api/projects',
  'DELETE /api/projects/{id}',
  'GET /v1/projects',
  'GET /v1/projects/{id}',
  'PATCH /v1/projects/{id}',
  'GET /v1/workspaces',
  'POST /v1/workspaces',
  'GET /api/users/me',
  'PATCH /api/users/me',
  'DELETE /api/users/me',
  'POST /api/events/publish',
  'POST /api/events/subscriptions',
  'GET /api/events/subscriptions',
  'DELETE /api/events/subscriptions/{subscription_id}',
  'GET /realtime',
  'GET /api/events/stream',
  'GET /health',
  'GET /ready',
])('%s is served', (name) => {
  expect(names).toContain(name)
})

test('what changes something says which scope it needs', () => {
  const unscoped = endpoints.filter(
    ({ spec }) => spec.method !== 'get' && spec.scope === null && (spec.auth === undefined || spec.auth === 'any'),
  )
  expect(unscoped.map(({ spec }) => `${spec.method.toUpperCase()} ${spec.path}`)).toEqual([])
})
