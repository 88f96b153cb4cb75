/** @module-tag long */
import { exports } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import document from '../../docs/openapi.json'
import * as families from '../src/families.ts'
import { Recollect, RecollectError, type MethodsOf, type paths } from '../src/index.ts'
import { newAddress } from '../../test/app/every-endpoint.ts'
import { newSession, newTenant } from '../../test/support/world.ts'

interface Operation {
  operationId: string
  parameters?: { name?: string; in?: string; required?: boolean }[]
  requestBody?: { content: Record<string, { example?: unknown }> }
  'x-idempotent'?: boolean
}

const OPERATIONS = Object.entries<Record<string, Operation>>(document.paths as never).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
)
const NAMED = OPERATIONS.map((one) => ({ ...one, name: one.operation.operationId }))

/** What a family names: `POST /api/projects`. */
const inFamilies = new Set(
  Object.values(families).flatMap((family) =>
    typeof family === 'function' ? [] : Object.values(family).map((text) => text.split(' ').slice(0, 2).join(' ')),
  ),
)

test('the document has operations, and the families name each of theirs once', () => {
  const documented = new Set(OPERATIONS.map(({ method, path }) => `${method} ${path}`))
  expect(documented.size).toBeGreaterThan(90)
  expect([...inFamilies].filter((operation) => !documented.has(operation))).toEqual([])
  expect(inFamilies.size).toBeGreaterThan(60)
})

test.each(NAMED)('request() calls $name, with what it takes', async ({ method, path, operation }) => {
  const ids = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
  const [[type, content] = []] = Object.entries(operation.requestBody?.content ?? {})
  const tenant = await newTenant()
  const sent: Request[] = []
  const answers: Response[] = []
  const client = new Recollect({
    baseUrl: 'http://recollect.test',
    credential: { sessionToken: Object.values(await newSession(tenant))[0] ?? '' },
    maxRetries: 0,
    fetch: (async (url: string, init?: RequestInit) => {
      const request = new Request(url, init)
      sent.push(request.clone())
      const answer = await exports.default.fetch(request)
      answers.push(answer.clone())
      return answer
    }) as typeof fetch,
  })
  const idOf = (name: string) => (name === 'project_id' ? tenant.projectId : 'xyz_00000000000000000000000000')
  const input = {
    path: Object.fromEntries(ids.map(({ name = '' }) => [name, idOf(name)])),
    headers: newAddress(),
    ...(type === undefined ? {} : { body: content?.example ?? {} }),
  }
  const call = client.request(
    method as MethodsOf<'/api/projects'>,
    path as keyof paths & '/api/projects',
    input as never,
  )
  const failure: unknown = await call.catch((error: unknown) => error)
  expect(failure instanceof Error && !(failure instanceof RecollectError) && failure).toBe(false)

  expect(sent).toHaveLength(1)
  const request = sent[0]!
  expect(request.method).toBe(method)
  expect(new URL(request.url).pathname).toBe(path.replaceAll(/\{(\w+)\}/g, (_, name: string) => idOf(name)))
  expect(request.headers.get('content-type')?.split(';')[0]).toBe(type)
  expect(request.headers.has('idempotency-key')).toBe(operation['x-idempotent'] === true)
  // The service knows the operation, and can read what was sent.
  const { status, headers } = answers[0] ?? Response.error()
  expect([405, 415, 500]).not.toContain(status)
  const text = headers.get('content-type') === 'application/problem+json' ? await answers[0]?.text() : ''
  expect(text).not.toMatch(/No such path|invalid_json/)
})
