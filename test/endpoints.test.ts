import { expect, test } from 'vitest'
import { endpoints } from '../src/endpoints.ts'

const names = endpoints.map(({ spec }) => `${spec.method.toUpperCase()} ${spec.path}`)

test('each endpoint is declared once', () => {
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test('each operation has an id and a summary of its own (contract §7)', () => {
  for (const member of ['operationId', 'summary'] as const) {
    const values = endpoints.map(({ spec }) => spec[member])
    expect(values.filter((value, index) => values.indexOf(value) !== index)).toEqual([])
  }
})

/** A new operation takes one of these verbs, or adds the one that its field uses. */
const VERBS =
  /^(accept|apply|batch|change|create|delete|embed|erase|export|get|handOver|import|introspect|invite|list|listen|log|make|publish|recall|recover|refuse|register|remove|renew|request|reset|restore|retire|retrieve|retry|revoke|rotate|search|store|test|update|withdraw)([A-Z][a-z]+)+$/

test('the id of an operation is a verb and what it is done to (contract §7)', () => {
  for (const { spec } of endpoints) expect(spec.operationId).toMatch(VERBS)
  const idOf = (name: string) => endpoints[names.indexOf(name)]?.spec.operationId
  expect(idOf('POST /api/memory/store')).toBe('storeMemory')
  expect(idOf('POST /api/memory/search')).toBe('searchMemories')
  expect(idOf('GET /v1/projects')).toBe('listProjects')
})

/** The paths of contract §2 to §7: none may be lost or renamed within a version. Authorize and the portal are pages. */
test.each([
  'POST /auth/login',
  'POST /auth/logout',
  'POST /auth/register-user',
  'POST /auth/token',
  'POST /auth/revoke',
  'POST /auth/introspect',
  'POST /auth/register',
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/oauth-protected-resource',
  'GET /v1/sessions',
  'DELETE /v1/sessions',
  'GET /v1/sessions/{id}',
  'DELETE /v1/sessions/{id}',
  'POST /v1/users/me/password',
  'POST /v1/api-keys',
  'GET /v1/api-keys',
  'DELETE /v1/api-keys/{id}',
  'POST /v1/api-keys/{id}/rotate',
  'POST /v1/apps',
  'GET /v1/apps',
  'GET /v1/apps/{id}',
  'PATCH /v1/apps/{id}',
  'DELETE /v1/apps/{id}',
  'POST /v1/apps/{id}/rotate-secret',
  'GET /v1/grants',
  'GET /v1/grants/{id}',
  'DELETE /v1/grants/{id}',
  'POST /api/memory/store',
  'GET /api/memory/retrieve',
  'POST /api/memory/search',
  'POST /v1/memory/recall',
  'POST /api/memory/batch',
  'GET /v1/memory/items',
  'GET /v1/memory/items/{id}',
  'PATCH /v1/memory/items/{id}',
  'DELETE /v1/memory/items/{id}',
  'GET /v1/memory/items/{id}/versions',
  'POST /v1/memory/items/{id}/embed',
  'POST /v1/memory/delete',
  'GET /v1/memory/namespaces',
  'GET /v1/memory/subjects',
  'GET /v1/memory/export',
  'POST /v1/memory/import',
  'POST /v1/memory/ingest',
  'GET /v1/memory/conversations',
  'GET /v1/memory/conversations/{conversation_id}',
  'DELETE /v1/memory/conversations/{conversation_id}',
  'GET /v1/audit',
  'GET /v1/usage',
  'GET /v1/usage/series',
  'GET /v1/events/delivery-series',
  'POST /api/projects',
  'DELETE /api/projects/{id}',
  'GET /v1/projects',
  'GET /v1/projects/{id}',
  'PATCH /v1/projects/{id}',
  'POST /v1/projects/{id}/retention/apply',
  'GET /v1/workspaces',
  'POST /v1/workspaces',
  'GET /v1/workspaces/{id}',
  'PATCH /v1/workspaces/{id}',
  'DELETE /v1/workspaces/{id}',
  'GET /v1/workspaces/{id}/members',
  'POST /v1/workspaces/{id}/members',
  'PATCH /v1/workspaces/{id}/members/{user_id}',
  'DELETE /v1/workspaces/{id}/members/{user_id}',
  'GET /v1/invitations',
  'POST /v1/invitations/{id}/accept',
  'POST /v1/invitations/{id}/refuse',
  'GET /v1/tenant',
  'POST /v1/tenant/owner',
  'GET /api/users/me',
  'PATCH /api/users/me',
  'DELETE /api/users/me',
  'GET /v1/users/me/export',
  'POST /api/events/publish',
  'POST /api/events/subscriptions',
  'GET /api/events/subscriptions',
  'DELETE /api/events/subscriptions/{subscription_id}',
  'GET /v1/events/subscriptions/{id}',
  'PATCH /v1/events/subscriptions/{id}',
  'GET /v1/events/subscriptions/{id}/secret',
  'POST /v1/events/subscriptions/{id}/secret/rotate',
  'POST /v1/events/subscriptions/{id}/test',
  'GET /v1/events/subscriptions/{id}/deliveries',
  'POST /v1/events/subscriptions/{id}/recover',
  'GET /v1/events/deliveries/{id}/attempts',
  'POST /v1/events/deliveries/{id}/retry',
  'GET /realtime',
  'GET /api/events/stream',
  'GET /api-reference',
  'GET /api-reference/errors',
  'GET /api-reference/openapi.json',
  'GET /api-reference/asyncapi.json',
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
