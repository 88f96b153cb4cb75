/** @module-tag shards */
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import worker from '../../src/index.ts'
import { operatorOf } from '../../src/auth/index.ts'
import { ringOf } from '../support/key-ring.ts'
import { depsOf } from '../../src/deps.ts'
import { travel } from '../support/clock.ts'
import { counted, settled } from '../support/counted.ts'
import { asOperator, operate, operatorKey } from '../support/operator.ts'
import { call, newSession, newTenant } from '../support/world.ts'

afterAll(settled)

afterEach(() => void vi.restoreAllMocks())

const DEPLOYMENT = '/v1/operator/limits/deployment'

/** One request to a deployment with these variables. */
async function under(vars: Record<string, string>, method: string, path: string, headers: Record<string, string> = {}) {
  const request = new Request<unknown, IncomingRequestCfProperties>(`http://recollect.test${path}`, { method, headers })
  const response = await worker.fetch(request, { ...env, ...vars }, createExecutionContext())
  return { status: response.status, body: await response.json<any>(), headers: response.headers }
}

/** What tells answers apart, without the id of the request. */
const shapeOf = ({ status, body }: { status: number; body: any }) => [status, { ...body, request_id: undefined }]

test('security 90: without a key every operator path is the 404 of a path that never was', async () => {
  const none = { OPERATOR_KEYS: '' }
  const never = shapeOf(await under(none, 'GET', '/v1/nothing'))
  expect(never[0]).toBe(404)
  for (const [method, path] of [
    ['GET', DEPLOYMENT],
    ['PATCH', DEPLOYMENT],
    ['POST', DEPLOYMENT],
    ['OPTIONS', DEPLOYMENT],
    ['GET', '/v1/operator/changes'],
    ['GET', '/v1/operator/nothing'],
  ] as const) {
    const answer = await under(none, method, path, asOperator)
    expect(shapeOf(answer)).toEqual(never)
    expect(answer.headers.get('allow')).toBeNull()
  }
})

test.each(['k1', 'k1:c2hvcnQ', 'K1:AAAA', `k1:${'A'.repeat(43)},`])(
  'a ring that cannot be read (%s) opens nothing, and is a fault that does not tell it',
  async (OPERATOR_KEYS) => {
    const vars: Record<string, string> = { OPERATOR_KEYS }
    const { operatorKeys, config } = depsOf({ ...env, ...vars })(() => {})
    expect(operatorKeys).toBeNull()
    expect(config.faults).toEqual([expect.stringMatching(/^OPERATOR_KEYS must be id:base64/)])
    expect((await under({ OPERATOR_KEYS }, 'GET', DEPLOYMENT, asOperator)).status).toBe(404)
  },
)

test('each key of the ring opens, and none that is not in it', async () => {
  const [one, two] = ['a', 'b'].map((letter) => letter.repeat(43))
  const ring = ringOf(`k2:${two},k1:${one}`)
  expect(await operatorOf(ring, `Bearer ${one}`)).toBe('k1')
  expect(await operatorOf(ring, `bearer  ${two}`)).toBe('k2')
  for (const wrong of ['', 'Bearer', `Basic ${one}`, `Bearer ${one} ${two}`, 'Bearer k1', `Bearer k1:${one}`])
    expect(await operatorOf(ring, wrong)).toBeNull()
  expect(await operatorOf(null, `Bearer ${one}`)).toBeNull()
})

test('a key has one spelling, that of the ring', async () => {
  const key = `${'a-'.repeat(21)}a`
  const ring = ringOf(`k1:${key}`)
  expect(await operatorOf(ring, `Bearer ${key}`)).toBe('k1')
  for (const other of [key.replaceAll('-', '+'), `${key}=`, `${key.slice(0, -1)}b`])
    expect(await operatorOf(ring, `Bearer ${other}`)).toBeNull()
})

test('a key that was taken out of the ring opens nothing from then on, and the one that came in opens', async () => {
  const [old, young] = ['a', 'b'].map((letter) => letter.repeat(43))
  const statusOf = async (OPERATOR_KEYS: string, key: string | undefined) => {
    const headers = { Authorization: `Bearer ${key}`, 'CF-Connecting-IP': '198.18.3.1' }
    return (await under({ OPERATOR_KEYS }, 'GET', DEPLOYMENT, headers)).status
  }
  const rings = [`k1:${old}`, `k2:${young},k1:${old}`, `k2:${young}`]
  const opened = []
  for (const ring of rings) opened.push([await statusOf(ring, old), await statusOf(ring, young)])
  expect(opened).toEqual([
    [200, 401],
    [200, 200],
    [401, 200],
  ])
})

test('security 90: a wrong key is compared with every key, as whole digests, however much of it is right', async () => {
  const ring = ringOf(`k2:${'b'.repeat(43)},k1:${'a'.repeat(43)}`)
  const compared = vi.spyOn(crypto.subtle, 'timingSafeEqual')
  const callsOf = async (key: string) => {
    compared.mockClear()
    await operatorOf(ring, `Bearer ${key}`)
    return compared.mock.calls.map(([a, b]) => [a.byteLength, b.byteLength])
  }
  const both = [
    [32, 32],
    [32, 32],
  ]
  for (const key of ['b'.repeat(43), 'a'.repeat(43), `${'a'.repeat(40)}bbb`, 'x', '', 'é', 'a'.repeat(5_000)])
    expect(await callsOf(key)).toEqual(both)
})

test('security 90: no credential of a tenant reaches an operator path, the owner’s neither, and no operator key a path of tenants', async () => {
  const tenant = await newTenant()
  const session = await newSession(tenant)
  const at = { 'CF-Connecting-IP': '198.18.0.1' }
  const wrong = [
    session,
    { 'X-API-Key': tenant.key },
    { Authorization: `Bearer ${tenant.key}` },
    { Authorization: `Bearer ${Object.values(session)[0]}` },
    { Authorization: `Bearer ${operatorKey.slice(0, -2)}` },
    { 'X-API-Key': operatorKey },
  ]
  const answers = await Promise.all(wrong.map((headers) => call('GET', DEPLOYMENT, { headers: { ...at, ...headers } })))
  for (const answer of answers) {
    expect(shapeOf(answer)).toEqual(shapeOf(answers[0]!))
    expect([answer.status, answer.body.code]).toEqual([401, 'invalid_token'])
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="operator", error="invalid_token"')
  }
  const none = await call('GET', DEPLOYMENT, { headers: at })
  expect([none.status, none.body.code]).toEqual([401, 'unauthenticated'])
  expect(none.headers.get('www-authenticate')).toBe('Bearer realm="operator"')
  const two = await call('GET', DEPLOYMENT, { headers: { ...at, ...asOperator, ...session } })
  expect([two.status, two.body.code]).toEqual([400, 'conflicting_credentials'])
  expect((await call('GET', '/v1/projects', { headers: asOperator })).status).toBe(401)
  expect((await call('GET', DEPLOYMENT, { headers: { ...asOperator, 'CF-Connecting-IP': '198.18.0.2' } })).status).toBe(
    200,
  )
})

test('security 92: requests without a right key ask no database, are limited by address, and use up nothing of the operator there', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  const logged = vi.spyOn(console, 'log').mockImplementation(() => {})
  const headers = { 'CF-Connecting-IP': '198.18.1.1', Authorization: 'Bearer wrong' }
  travel(0)
  const first = await counted('PATCH', DEPLOYMENT, { headers, body: { limits: { read: 1 } } })
  expect(first).toMatchObject({ status: 401, asked: { hub: 0, limiter: 1, vectors: 0, d1: 0 } })
  const answers = await Promise.all(Array.from({ length: 12 }, () => call('GET', DEPLOYMENT, { headers })))
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(9)
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.headers.get('ratelimit-policy')).toBe('"operator.refused";q=10;w=60')
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  const right = await operate('GET', '/limits/deployment', { headers: { 'CF-Connecting-IP': '198.18.1.1' } })
  expect([right.status, right.headers.get('ratelimit-policy')]).toEqual([200, '"operator";q=60;w=60'])
  const lines = logged.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('operator.refused'))
  expect(lines).toHaveLength(10)
  // Anybody can send junk, so it wakes nobody.
  expect(errors).not.toHaveBeenCalled()
  expect(lines.join()).not.toContain('wrong')
})

test('contract §6: an operator has 60 requests a minute and address, exactly', async () => {
  travel(0)
  const headers = { 'CF-Connecting-IP': '198.18.2.1' }
  const answers = await Promise.all(Array.from({ length: 62 }, () => operate('GET', '/limits/deployment', { headers })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(60)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(2)
})
