import { expect, test } from 'vitest'
import { call } from '../support/world.ts'

const { body: document } = await call('GET', '/api-reference/openapi.json')
const parameters = (path: string, method: string): string[] =>
  document.paths[path][method].parameters.filter((one: any) => one.in === 'header').map((one: any) => one.name)
const headers = (path: string, method: string, status: number): string[] =>
  Object.keys(document.paths[path][method].responses[status].headers)

test('a conditional operation documents its header, and answers with an ETag (contract §3)', () => {
  const item = '/v1/memory/items/{id}'
  expect(parameters(item, 'get')).toEqual(['If-None-Match'])
  expect(parameters(item, 'patch')).toEqual(['If-Match'])
  expect(parameters(item, 'delete')).toEqual(['If-Match'])
  for (const [method, status] of [
    ['get', 200],
    ['get', 304],
    ['patch', 200],
  ] as const)
    expect(headers(item, method, status), `${method} ${status}`).toContain('ETag')
  expect(headers(item, 'delete', 204)).not.toContain('ETag')
})

test('an operation with an Idempotency-Key documents the header that marks a replay (contract §1)', () => {
  expect(parameters('/api/projects', 'post')).toEqual(['Idempotency-Key'])
  expect(headers('/api/projects', 'post', 201)).toContain('Idempotent-Replayed')
  expect(headers('/v1/projects', 'get', 200)).not.toContain('Idempotent-Replayed')
})

test('a 401 documents its challenge, a 429 and a 503 the time to wait (contract §1, §2)', () => {
  expect(headers('/api/projects', 'post', 401)).toContain('WWW-Authenticate')
  for (const status of [429, 503]) expect(headers('/api/projects', 'post', status)).toContain('Retry-After')
})
