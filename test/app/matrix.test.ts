/** @module-tag long */
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { SCOPES } from '../../src/core/context.ts'
import { scopesOf } from '../../src/core/http/endpoint.ts'
import { endpoints } from '../../src/endpoints.ts'
import { LIMITS, type LimitName } from '../../src/core/limits.ts'
import { call, newSession, newTenant, type Answer } from '../support/world.ts'
import {
  answersProblems,
  ask,
  callerOf,
  expectProblem,
  needsCredential,
  newAddress,
  pathOf,
  rows,
  takesBody,
  takesJson,
  typeOf,
} from './every-endpoint.ts'

const MIB = 1024 * 1024

describe('credentials', () => {
  test.each(rows(needsCredential))('$name without a credential is 401 (contract §2)', async (row) => {
    const answer = await ask(row.spec, { headers: {} })
    expectProblem(answer, 'unauthenticated', row)
    expect(answer.headers.get('www-authenticate')).toContain('resource_metadata=')
    expect(answer.headers.get('www-authenticate')).not.toContain('error=')
  })

  test.each(rows(needsCredential))('$name with a made-up credential is 401 invalid_token', async (row) => {
    const answer = await ask(row.spec, { headers: { 'X-API-Key': `rck_live_${'0'.repeat(60)}` } })
    expectProblem(answer, 'invalid_token', row)
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"')
  })

  test.each(rows(needsCredential))('security 20: $name with two credentials is 400', async (row) => {
    const tenant = await newTenant()
    const answer = await ask(row.spec, { headers: { 'X-API-Key': tenant.key, ...(await newSession(tenant)) } })
    expectProblem(answer, 'conflicting_credentials', row)
  })

  test.each(rows((spec) => needsCredential(spec) && spec.auth !== 'session' && spec.scope !== null))(
    '$name without its scope is 403 insufficient_scope',
    async (row) => {
      const needed = scopesOf(row.spec)
      const { key } = await newTenant({ scopes: SCOPES.filter((scope) => !needed.includes(scope)) })
      const answer = await ask(row.spec, { headers: { 'X-API-Key': key } })
      expectProblem(answer, 'insufficient_scope', row)
      expect(answer.headers.get('www-authenticate')).toContain(
        `error="insufficient_scope", scope="${needed.join(' ')}"`,
      )
    },
  )

  test.each(rows((spec) => spec.auth === 'session'))('$name with a key is 403 session_required', async (row) => {
    const { key } = await newTenant()
    expectProblem(await ask(row.spec, { headers: { 'X-API-Key': key } }), 'session_required', row)
  })
})

describe('input', () => {
  /** RFC 6749 §3.1 and pages: unknown parameters are ignored (contract §1). */
  const LENIENT = ['/auth/token', '/auth/revoke', '/auth/introspect', '/auth/register']
  const isStrict = rows(({ path, ignoresQuery }) => !LENIENT.includes(path) && !ignoresQuery)

  test.each(isStrict)('$name with an unknown query key is 422 (contract §1)', async (row) => {
    const raw = takesBody(row.spec) ? '{}' : undefined
    const answer = await ask(row.spec, { search: '?surprise=1', ...(raw === undefined ? {} : { raw }) })
    expectProblem(answer, 'validation_failed', row)
    expect(answer.body.errors).toBeInstanceOf(Array)
  })

  test.each(isStrict.filter(({ spec }) => !takesBody(spec)))(
    '$name with a query that is no UTF-8 is 422 and names the parameter (contract §1)',
    async (row) => {
      const answer = await ask(row.spec, { search: '?tags=%ff' })
      expectProblem(answer, 'validation_failed', row)
      expect(answer.body.errors).toEqual([expect.objectContaining({ path: 'tags', code: 'invalid_character' })])
    },
  )

  test.each(rows((spec) => takesBody(spec) && !LENIENT.includes(spec.path) && spec.bodyType !== 'ndjson'))(
    '$name with an unknown body field is 422 and names it (contract §1)',
    async (row) => {
      const raw = row.spec.bodyType === 'form' ? 'surprise=1' : '{"surprise": 1}'
      const answer = await ask(row.spec, { raw })
      expectProblem(answer, 'validation_failed', row)
      expect(answer.body.errors).toContainEqual(expect.objectContaining({ path: 'surprise', code: 'unknown_field' }))
    },
  )

  test.each(rows((spec) => takesBody(spec) && answersProblems(spec)))(
    '$name with another content type is 415',
    async (row) => {
      const answer = await ask(row.spec, { raw: 'text', type: 'text/plain' })
      expectProblem(answer, 'unsupported_media_type', row)
    },
  )

  test.each(rows(takesBody))(
    '$name with a body past its size is 413, whatever it declares (security 34)',
    async (row) => {
      const limit = row.spec.maxBytes ?? MIB
      const chunk = new Uint8Array(64 * 1024).fill(32)
      let left = limit + 1
      const raw = new ReadableStream<Uint8Array>({
        pull(controller) {
          controller.enqueue(chunk.subarray(0, Math.min(left, chunk.byteLength)))
          left -= chunk.byteLength
          if (left <= 0) controller.close()
        },
      })
      expectProblem(await ask(row.spec, { raw }), 'payload_too_large', row)
      const declared = await ask(row.spec, { raw: new Uint8Array(limit + 1).fill(32) })
      expectProblem(declared, 'payload_too_large', row)
    },
  )
})

describe('JSON that is slow to parse', () => {
  test.each(rows((spec) => takesJson(spec) && (spec.maxBytes ?? MIB) > MIB))(
    'security 34: $name refuses it before it is parsed (contract §1)',
    async (row) => {
      const size = row.spec.maxBytes ?? MIB
      for (const raw of [
        '['.repeat(size),
        `[${'{},'.repeat(size / 3 - 2)}{}]`,
        `{"a":[${'0,'.repeat(size / 2 - 9)}0]}`,
      ]) {
        const headers = await callerOf(row.spec)
        const answer = await ask(row.spec, { headers, raw })
        expectProblem(answer, 'invalid_json', row)
        expect(answer.body.detail).toMatch(/^The body (is deeper than 100 levels|has more than 250000 members)\.$/)
      }
    },
  )
})

describe('limits', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }))
  afterEach(() => void vi.useRealTimers())

  const limited = rows(({ limit, auth }) => limit !== null && auth !== 'client')

  test.each(limited)('$name over its limit is 429 with Retry-After and the RateLimit headers', async (row) => {
    const policy = row.spec.limit as LimitName
    const { limit, windowMs } = LIMITS[policy]
    const headers = { ...newAddress(), ...(await callerOf(row.spec)) }
    // What is refused after the charge has no effect, and takes a place all the same.
    const once = () => ask(row.spec, { headers, search: '?surprise=1' })
    const answers = await Promise.all(Array.from({ length: limit + 1 }, once))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(1)
    const [answer] = refused
    if (!answer) throw new Error('nobody was refused')
    expectProblem(answer, 'rate_limited', row)
    const seconds = Number(answer.headers.get('retry-after'))
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(seconds).toBeLessThanOrEqual(windowMs / 1_000)
    expect(answer.headers.get('ratelimit-policy')).toContain(`"${policy}";q=${limit};w=${windowMs / 1_000}`)
    expect(answer.headers.get('ratelimit')).toContain(`"${policy}";r=0;t=`)
  })

  test.each(limited)('$name shows the RateLimit headers on what it admits', async (row) => {
    const { headers } = await ask(row.spec, { search: '?surprise=1' })
    expect(headers.get('ratelimit-policy')).toContain(`"${row.spec.limit}";q=`)
    expect(headers.get('ratelimit')).toContain(`"${row.spec.limit}";r=`)
  })
})

test('each check comes before those after it (contract §1)', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  onTestFinished(() => void vi.useRealTimers())
  const [able, unable, busy] = await Promise.all([
    newTenant(),
    newTenant({ scopes: ['read:memory'] }),
    newTenant({ scopes: ['read:memory'] }),
  ])
  const json = { 'Content-Type': 'application/json' }
  const unseen = JSON.stringify({ name: 'x', workspace_id: 'wsp_x' })
  const invalid = JSON.stringify({ workspace_id: 'wsp_x' })
  const huge = invalid.padEnd(MIB + 1)
  const post = (raw: string, headers: Record<string, string>) => call('POST', '/api/projects', { raw, headers })
  const codeOf = async (answer: Promise<Answer>) => (await answer).body.code
  // Each has the faults of all that stand before it, and one more, which is the one that is told.
  expect(await codeOf(post(unseen, { 'X-API-Key': able.key, ...json }))).toBe('not_found')
  expect(await codeOf(post(invalid, { 'X-API-Key': able.key, ...json }))).toBe('validation_failed')
  expect(await codeOf(post(invalid, { 'X-API-Key': able.key }))).toBe('unsupported_media_type')
  expect(await codeOf(post(huge, { 'X-API-Key': able.key }))).toBe('payload_too_large')
  expect(await codeOf(post(huge, { 'X-API-Key': unable.key }))).toBe('insufficient_scope')
  for (let n = 0; n < LIMITS['api-key'].limit; n++) await post(unseen, { 'X-API-Key': busy.key })
  expect(await codeOf(post(huge, { 'X-API-Key': busy.key }))).toBe('rate_limited')
  expect(await codeOf(post(huge, { 'X-API-Key': busy.key, 'X-Session-Token': 'x' }))).toBe('conflicting_credentials')
  expect(await codeOf(post(huge, {}))).toBe('unauthenticated')
  expect(await codeOf(call('PUT', '/api/projects', { raw: huge }))).toBe('method_not_allowed')
  expect(await codeOf(call('PUT', '/api/nothing', { raw: huge }))).toBe('not_found')
})

describe('paths', () => {
  const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
  const methodsAt = (path: string) =>
    endpoints.filter(({ spec }) => spec.path === path).map(({ spec }) => spec.method.toUpperCase())

  test.each(rows())('the path of $name with another method is 405 with Allow', async (row) => {
    const allowed = methodsAt(row.spec.path)
    const other = METHODS.find((method) => !allowed.includes(method)) ?? 'TRACE'
    const answer = await call(other, pathOf(row.spec), { headers: newAddress() })
    expectProblem(answer, 'method_not_allowed', row)
    expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(allowed.sort())
  })

  test.each(['/nothing', '/v1/nothing', '/api/nothing', '/auth/nothing', '/v1/projects/a/b/c'])(
    'the unknown path %s is 404',
    async (path) => {
      for (const method of METHODS) {
        const answer = await call(method, path)
        expect(answer.status).toBe(404)
        expect(answer.body).toMatchObject({ code: 'not_found', status: 404 })
        expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
      }
    },
  )
})

describe('cross-origin rules (contract §1)', () => {
  const OPEN =
    /^\/(api\/|v1\/(?!operator\/)|\.well-known\/|api-reference\/\w+\.json$|auth\/(login|logout|register-user|token|revoke|introspect|register)$)/
  const ACCEPTED = [
    'Authorization',
    'X-Session-Token',
    'Content-Type',
    'Idempotency-Key',
    'If-Match',
    'If-None-Match',
    'MCP-Protocol-Version',
  ]
  const EXPOSED = 'X-Request-Id,RateLimit,RateLimit-Policy,Retry-After,ETag,Idempotent-Replayed,WWW-Authenticate'.split(
    ',',
  )
  const list = (header: string | null) => (header ?? '').split(',').map((name) => name.trim())

  const preflight = (spec: { path: string; method: string }) =>
    call('OPTIONS', spec.path, {
      headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': spec.method.toUpperCase() },
    })

  test.each(rows(({ path }) => OPEN.test(path)))(
    '$name may be called from any origin, without cookies',
    async (row) => {
      const before = await preflight(row.spec)
      expect(before.status).toBe(204)
      expect(before.headers.get('access-control-allow-origin')).toBe('*')
      expect(before.headers.get('access-control-allow-credentials')).toBeNull()
      expect(list(before.headers.get('access-control-allow-headers')).sort()).toEqual([...ACCEPTED].sort())
      expect(list(before.headers.get('access-control-allow-methods'))).toContain(row.spec.method.toUpperCase())
      const answer = await ask(row.spec, { headers: { Origin: 'https://app.example' }, search: '?surprise=1' })
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(list(answer.headers.get('access-control-expose-headers')).sort()).toEqual([...EXPOSED].sort())
    },
  )

  test.each(rows(({ path }) => !OPEN.test(path)))('$name may not be called from another origin', async (row) => {
    const before = await preflight(row.spec)
    expect(before.headers.get('access-control-allow-origin')).toBeNull()
    const answer = await ask(row.spec, { headers: { Origin: 'https://app.example' }, search: '?surprise=1' })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })
})

test('every matrix has rows, and every body a type', () => {
  expect(rows().length).toBeGreaterThan(30)
  for (const { spec } of rows(takesBody)) expect(typeOf(spec)).toMatch(/^application\//)
})
