import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type Server } from './support/server.ts'

interface Operation {
  tags: string[]
  summary?: string
  description?: string
  operationId: string
  security: Record<string, string[]>[]
  requestBody?: { content: Record<string, { example?: unknown }> }
  responses: Record<string, { description: string; content?: Record<string, object> }>
  'x-error-codes': string[]
}

let server: Server
let document: {
  openapi: string
  components: { schemas: object }
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
}
beforeAll(async () => {
  server = await startServer()
  const response = await fetch(`${server.url}/api-reference/openapi.json`)
  document = (await response.json()) as typeof document
})
afterAll(() => server.stop())

const operations = () =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
  )

test('the document is valid OpenAPI 3.1 (contract §7)', async () => {
  expect(document.openapi).toMatch(/^3\.1\./)
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  expect(errors ?? []).toEqual([])
  expect(valid).toBe(true)
})

test('every operation has a summary, a description of its rules, and an id of its own', () => {
  const ids = operations().map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { name, operation } of operations()) expect(operation.summary, name).toMatch(/\w/)
})

test('every operation that takes a body shows one, and every one says its scope and its limit', () => {
  for (const { name, operation } of operations()) {
    for (const { example } of Object.values(operation.requestBody?.content ?? {})) expect(example, name).toBeDefined()
    expect(operation, name).toHaveProperty('x-scope')
    expect(operation, name).toHaveProperty('x-rate-limit')
  }
})

test('every operation says whose credential it takes, and every failure is a problem', () => {
  for (const { name, operation } of operations()) {
    expect(operation.security, name).toBeInstanceOf(Array)
    expect(operation.responses, name).toHaveProperty('500')
    // The 503 of /ready is its own schema and no problem document.
    const failures = Object.entries(operation.responses).filter(([s]) => Number(s) >= 400 && name !== 'get /ready')
    for (const [status, { content = {} }] of failures) {
      expect(Object.keys(content), `${name} ${status}`).toEqual([failureType(name)])
    }
  }
})

const OAUTH = /^post \/auth\/(token|revoke|introspect|register)$/
const failureType = (name: string) => (OAUTH.test(name) ? 'application/json' : 'application/problem+json')

test('every operation that needs a credential may answer 401', () => {
  const guarded = operations().filter(
    ({ operation }) => operation.security.length > 0 && !operation.security.some((one) => 'client' in one),
  )
  expect(guarded.length).toBeGreaterThan(5)
  for (const { name, operation } of guarded) expect(operation.responses, name).toHaveProperty('401')
})

test('every tag of an operation is described', () => {
  const described = document.tags.map(({ name }) => name)
  for (const { name, operation } of operations()) expect(described, name).toContain(operation.tags[0])
})

test('schemas are named as types are', () => {
  for (const name of Object.keys(document.components.schemas)) expect(name).toMatch(/^[A-Z][A-Za-z0-9]+$/)
})

test('the document names this very service as its server', () => {
  expect(document).toMatchObject({ servers: [{ url: server.url }] })
})
