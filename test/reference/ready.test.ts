import { createExecutionContext, env } from 'cloudflare:test'
import { afterEach, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { localEmbedder } from '../../src/backends/embedder.local.ts'
import { shiftClock } from '../../src/core/values/clock.ts'
import { VectorizeDouble } from '../support/vectorize.ts'
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

/** The app with other variables. */
const readyWith = (vars: object): Response | Promise<Response> =>
  createApp().request('/ready', {}, { ...env, ...vars }, createExecutionContext())

test('/ready reports each dependency and backlog without authentication (contract §7)', async () => {
  const { status, body } = await call('GET', '/ready')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    status: 'ready',
    checks: {
      database_00: { status: 'ok' },
      audit_database: { status: 'ok' },
      limiter: { status: 'ok' },
      queues: { status: 'ok' },
      vectors: { status: 'ok' },
      configuration: { status: 'ok' },
    },
  })
  // Locally there is no vector index.
  expect(body.checks).not.toHaveProperty('vector_index')
  expect(body.messages).toEqual({
    embed: expect.any(Number),
    purge: expect.any(Number),
    events: expect.any(Number),
    delivery: expect.any(Number),
    audit: expect.any(Number),
  })
  expect(Object.keys(body.backlog)).toEqual([
    'embedding',
    'expiry',
    'purge',
    'events',
    'deliveries',
    'audit',
    'revocations',
  ])
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

test('/ready is 503 where DATA_REGION names no region', async () => {
  expect((await readyWith({ DATA_REGION: 'weur' })).status).toBe(200)
  const answer = await readyWith({ DATA_REGION: 'europe' })
  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({ checks: { configuration: { status: 'failed' } } })
})

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

test('/ready is 503 where a queue does not answer, and reports how many messages wait', async () => {
  const queue = (metrics: () => Promise<object>) => ({ send: () => {}, sendBatch: () => {}, metrics })
  const waiting = await readyWith({ PURGE_QUEUE: queue(async () => ({ backlogCount: 7, backlogBytes: 700 })) })
  expect(await waiting.json()).toMatchObject({ messages: { purge: 7 } })
  const down = await readyWith({ PURGE_QUEUE: queue(() => Promise.reject(new Error('down'))) })
  expect(down.status).toBe(503)
  expect(await down.json()).toMatchObject({ checks: { queues: { status: 'failed' } }, messages: {} })
})

test('/ready is 503 where the vector index does not answer, or has another dimension than the model', async () => {
  const index = new VectorizeDouble(localEmbedder.dimension)
  const well = await readyWith({ VECTORIZE: index })
  expect(well.status).toBe(200)
  expect(await well.json()).toMatchObject({ checks: { vector_index: { status: 'ok' } } })
  const other = new VectorizeDouble(localEmbedder.dimension + 1)
  index.down = true
  for (const VECTORIZE of [index, other]) {
    const answer = await readyWith({ VECTORIZE })
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ checks: { vector_index: { status: 'failed' } } })
  }
})

test('/ready waits three seconds for a dependency, and no longer', async () => {
  const answer = await readyWith({ VECTORIZE: { describe: () => new Promise(() => {}) } })
  expect(answer.status).toBe(503)
  const { checks } = await answer.json<{ checks: Record<string, { status: string; took_ms: number }> }>()
  expect(checks['vector_index']?.status).toBe('failed')
  expect(checks['database_00']?.status).toBe('ok')
})

test('/health answers while every dependency fails', async () => {
  const { status, body } = await call('GET', '/health')
  expect(status).toBe(200)
  expect(body).toEqual({ status: 'ok' })
})
