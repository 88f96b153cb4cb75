/** @module-tag long */
import { describe, expect, test } from 'vitest'
import { travel } from '../support/clock.ts'
import { call, newSession, newTenant } from '../support/world.ts'
import { answersProblems, ask, newAddress, rows, takesJson } from './every-endpoint.ts'
import { fastest } from '../support/speed.ts'

const strictJson = rows((spec) => takesJson(spec) && answersProblems(spec))

describe('security 21: an odd credential is 401, never 500', () => {
  const { name, spec } = rows(({ path }) => path === '/v1/projects')[0] ?? { name: '', spec: null }
  test.each([
    ['Authorization', 'Bearer'],
    ['Authorization', 'Bearer  '],
    ['Authorization', 'bearer x y'],
    ['Authorization', 'Basic dXNlcjpwYXNz'],
    ['Authorization', 'Bearer \u00e9\u00ff'],
    ['Authorization', `Bearer ${'a'.repeat(8_000)}`],
    ['X-API-Key', ' '],
    ['X-API-Key', 'rck_live_\u00e9'],
    ['X-API-Key', 'rck_live_00 11'],
    ['X-API-Key', 'rck_live_%00'],
    ['X-Session-Token', 'null'],
    ['X-Session-Token', 'rck_live_'],
  ])('%s: %j', async (header, value) => {
    if (!spec) throw new Error(`no endpoint ${name}`)
    const answer = await ask(spec, { headers: { [header]: value } })
    expect(answer.status, answer.text).toBe(401)
  })
})

describe('security 22: headers of a proxy or a framework change nothing', () => {
  test('a user id in a header is nobody', async () => {
    const [mine, other] = [await newTenant(), await newTenant()]
    const { body } = await call('GET', '/api/users/me', {
      headers: {
        ...(await newSession(mine)),
        'X-User-Id': other.userId,
        'X-Forwarded-User': other.userId,
        'X-Tenant-Id': other.tenantId,
      },
    })
    expect(body.id).toBe(mine.userId)
  })

  test('a method is not overridden', async () => {
    const tenant = await newTenant()
    const headers = { 'X-HTTP-Method-Override': 'DELETE', 'X-HTTP-Method': 'DELETE', 'X-Method-Override': 'DELETE' }
    const { status } = await call('GET', `/v1/projects/${tenant.projectId}?_method=DELETE`, {
      key: tenant.key,
      headers,
    })
    expect(status).toBe(422)
    const after = await call('GET', `/v1/projects/${tenant.projectId}`, { key: tenant.key, headers })
    expect(after.status).toBe(200)
  })

  test('an address is that of CF-Connecting-IP only', async () => {
    const here = newAddress()
    const attempt = (n: number) =>
      call('POST', '/auth/login', {
        raw: new URLSearchParams({ username: `nobody-${n}@example.com`, surprise: 'x' }),
        headers: {
          ...here,
          'X-Forwarded-For': `203.0.113.${n}`,
          'X-Real-IP': `203.0.113.${n}`,
          Forwarded: `for=203.0.113.${n}`,
        },
      })
    travel(0)
    const statuses = []
    for (let n = 1; n <= 6; n += 1) statuses.push((await attempt(n)).status)
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429])
  })
})

describe('security 29: nobody assigns what the service decides', () => {
  const DECIDED = ['id', 'tenant_id', 'created_by', 'role', 'scopes', 'user_id', 'hash']
  /** Where a field of such a name is the caller's to choose. */
  const CHOSEN: Record<string, string[]> = {
    'POST /v1/workspaces/{id}/members': ['role'],
    'PATCH /v1/workspaces/{id}/members/{user_id}': ['role'],
    'POST /v1/api-keys': ['scopes'],
    'POST /v1/apps': ['scopes'],
    'PATCH /v1/apps/{id}': ['scopes'],
  }

  test.each(strictJson)('$name', async ({ name, spec }) => {
    const refused = DECIDED.filter((field) => !CHOSEN[name]?.includes(field))
    const { status, body } = await ask(spec, { raw: JSON.stringify(Object.fromEntries(refused.map((f) => [f, 'x']))) })
    expect(status).toBe(422)
    const named = (body.errors as { path: string; code: string }[]).filter(({ code }) => code === 'unknown_field')
    expect(named.map(({ path }) => path).sort()).toEqual([...refused].sort())
  })
})

describe('security 30: prototypes are not for sending', () => {
  test.each(strictJson)('$name', async ({ spec }) => {
    for (const raw of ['{"__proto__": {"polluted": true}}', '{"constructor": {"prototype": {"polluted": true}}}']) {
      const { status, text } = await ask(spec, { raw })
      expect(status, text).toBe(422)
    }
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  test('in a form and in a query', async () => {
    const form = await call('POST', '/auth/login', {
      raw: new URLSearchParams({ __proto__x: '1', ['__proto__']: 'x' }),
      headers: newAddress(),
    })
    expect(form.status).toBe(422)
    const { key } = await newTenant()
    const query = await call('GET', '/v1/projects?__proto__=x&constructor=y', { key })
    expect(query.status).toBe(422)
  })
})

describe('security 32: hostile JSON is a 4xx, and fast', () => {
  const deep = `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`
  const wide = `{${Array.from({ length: 60_000 }, (_, n) => `"k${n}":1`).join(',')}}`
  const hostile: [string, string][] = [
    ['ten thousand levels', deep],
    ['sixty thousand keys', wide],
    ['a huge number', '{"limit": 1e999999, "ttl": 123456789012345678901234567890}'],
    ['a lone surrogate', String.raw`{"name": "\ud800", "query": "\udfff", "content": "\ud800"}`],
    ['NUL', String.raw`{"name": "a\u0000b", "query": "\u0000", "content": "\u0000"}`],
    ['an unfinished document', '{"a":'],
    ['not an object', '[[]]'],
    ['a bare null', 'null'],
    ['a comment', '{/* hello */}'],
  ]

  test.each(strictJson)('$name', async ({ spec }) => {
    for (const [what, raw] of hostile) {
      const refuse = async () => {
        const { status, text } = await ask(spec, { raw })
        expect([400, 413, 422], `${what}: ${status} ${text.slice(0, 200)}`).toContain(status)
      }
      expect(await fastest(2_000, refuse), what).toBeLessThan(2_000)
    }
  })

  test('a BOM and duplicate keys are read as RFC 8259 allows: the last key wins', async () => {
    const tenant = await newTenant()
    const raw = `\ufeff{"name": "first", "name": "last", "workspace_id": "${tenant.workspaceId}"}`
    const { status, body } = await call('POST', '/api/projects', {
      key: tenant.key,
      raw: new TextEncoder().encode(raw),
      headers: { 'Content-Type': 'application/json' },
    })
    expect(status).toBe(201)
    expect(body.name).toBe('last')
  })

  test('bytes that are not UTF-8 are 400', async () => {
    const { key } = await newTenant()
    const raw = new Uint8Array([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d])
    const { status, body } = await call('POST', '/api/projects', {
      key,
      raw,
      headers: { 'Content-Type': 'application/json' },
    })
    expect(status).toBe(400)
    expect(body.code).toBe('invalid_json')
  })
})
