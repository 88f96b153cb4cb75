import { createExecutionContext, env } from 'cloudflare:test'
import { afterEach, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { shiftClock } from '../../src/core/clock.ts'
import { call } from '../support/world.ts'

const CACHED_MS = 10_000
let shifted = 0
const pass = (ms: number): void => {
  shifted += ms
  shiftClock(ms)
}
afterEach(() => {
  shiftClock(-shifted)
  shifted = 0
})

/** The app as it would run with other variables. */
const readyWith = (vars: object): Response | Promise<Response> =>
  createApp().request('/ready', {}, { ...env, ...vars }, createExecutionContext())

test('/ready tells each dependency and backlog without authentication (contract §7)', async () => {
  const { status, body } = await call('GET', '/ready')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    status: 'ready',
    checks: {
      database_00: { status: 'ok' },
      audit_database: { status: 'ok' },
      limiter: { status: 'ok' },
      configuration: { status: 'ok' },
    },
  })
  expect(Object.keys(body.backlog)).toEqual(['embedding', 'expiry', 'purge', 'events', 'deliveries', 'audit'])
})

test('/ready is cached for ten seconds', async () => {
  const { body: first } = await call('GET', '/ready')
  pass(CACHED_MS - 1_000)
  const { body: second } = await call('GET', '/ready')
  expect(second.checked_at).toBe(first.checked_at)
  pass(1_001)
  const { body: third } = await call('GET', '/ready')
  expect(Date.parse(third.checked_at)).toBeGreaterThan(Date.parse(first.checked_at))
})

test.each([{ LIMITS_FACTOR: '10' }, { ALLOW_PRIVATE_WEBHOOKS: 'true' }, { ALLOW_LOOPBACK_REDIRECTS: 'true' }])(
  '/ready is 503 where %o is set outside local (contract §7)',
  async (loosened) => {
    const strict = { LIMITS_FACTOR: '', ALLOW_PRIVATE_WEBHOOKS: '', ALLOW_LOOPBACK_REDIRECTS: '' }
    const answer = await readyWith({ ENVIRONMENT: 'production', ...strict, ...loosened })
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('10')
    expect(await answer.json()).toMatchObject({
      status: 'unavailable',
      checks: { configuration: { status: 'failed' } },
    })
  },
)

test('/ready is 503 where a database does not answer', async () => {
  const answer = await readyWith({
    AUDIT_DB: {
      prepare: () => {
        throw new Error('down')
      },
    },
  })
  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({ checks: { audit_database: { status: 'failed' } } })
})

test('/health answers while nothing else does', async () => {
  const { status, body } = await call('GET', '/health')
  expect(status).toBe(200)
  expect(body).toEqual({ status: 'ok' })
})
