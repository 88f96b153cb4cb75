import { expect, test } from 'vitest'
import { endpoints } from '../../src/endpoints.ts'
import { LIMITS, MAX_BATCH_OPERATIONS, MAX_SOCKETS, type LimitName } from '../../src/core/limits.ts'

const SECOND = 1_000
const MINUTE = 60_000
const HOUR = 3_600_000

test.each<[LimitName, number, number, string]>([
  ['memory.store', 10, SECOND, 'user'],
  ['memory.retrieve', 20, SECOND, 'user'],
  ['memory.search', 5, SECOND, 'user'],
  ['memory.batch', 2, SECOND, 'user'],
  ['memory.ingest', 5, SECOND, 'user'],
  ['oauth.token', 10, MINUTE, 'client'],
  ['oauth.token.unauthenticated', 10, MINUTE, 'ip'],
  ['api-key', 5, SECOND, 'key'],
  ['login', 5, MINUTE, 'ip'],
  ['events.publish', 20, MINUTE, 'user'],
  ['events.subscribe', 10, HOUR, 'user'],
  ['events.refused', 60, MINUTE, 'user'],
  ['password', 10, 10 * MINUTE, 'source'],
  ['password.hour', 30, HOUR, 'source'],
  ['login.unknown', 30, HOUR, 'account'],
  ['events.delivery', 100, MINUTE, 'subscription'],
  ['read', 20, SECOND, 'user'],
  ['write', 10, SECOND, 'user'],
  ['anonymous', 60, MINUTE, 'ip'],
])('contract §6: %s is %i in %i ms per %s', (name, limit, windowMs, per) => {
  expect(LIMITS[name]).toEqual({ limit, windowMs, per })
})

test('contract §6: 50 operations a batch, 10 connections at once', () => {
  expect({ MAX_BATCH_OPERATIONS, MAX_SOCKETS }).toEqual({ MAX_BATCH_OPERATIONS: 50, MAX_SOCKETS: 10 })
})

test.each<[string, LimitName]>([
  ['POST /api/memory/store', 'memory.store'],
  ['GET /api/memory/retrieve', 'memory.retrieve'],
  ['GET /v1/memory/items/{id}', 'memory.retrieve'],
  ['POST /api/memory/search', 'memory.search'],
  ['POST /v1/memory/recall', 'memory.search'],
  ['POST /api/memory/batch', 'memory.batch'],
  ['POST /v1/memory/ingest', 'memory.ingest'],
  ['POST /auth/login', 'login'],
  ['POST /auth/register-user', 'login'],
  ['POST /api/events/publish', 'events.publish'],
  ['POST /api/events/subscriptions', 'events.subscribe'],
])('contract §6: %s acquires a permit of %s', (name, limit) => {
  const found = endpoints.find(({ spec }) => `${spec.method.toUpperCase()} ${spec.path}` === name)
  expect(found?.spec.limit).toBe(limit)
})

test('every other endpoint of a user acquires a permit of `read` where it reads and of `write` where it writes', () => {
  const others = endpoints.filter(({ spec }) => ['read', 'write'].includes(spec.limit ?? '') && spec.auth !== 'client')
  expect(others.length).toBeGreaterThan(30)
  const odd = others.filter(({ spec }) => (spec.method === 'get') !== (spec.limit === 'read'))
  // It reads by a body, since a hundred ids do not fit into an address.
  expect(odd.map(({ spec }) => `${spec.method} ${spec.path}`)).toEqual(['post /v1/names'])
})
