/** @module-tag long */
import { env } from 'cloudflare:test'
import { expect, onTestFinished, test, vi } from 'vitest'
import { embeddedEmbedder } from '../../src/backends/embedder.embedded.ts'
import { FailedAnswer, ModelDown } from '../../src/core/embedding.ts'
import { iso } from '../../src/core/values/clock.ts'
import { bindingOf, firstShards } from '../../src/core/shards.ts'
import type { EmbeddingModel } from '../../src/core/models.ts'
import { observedDatabase } from '../support/observed-database.ts'
import { VectorizeDouble } from '../support/vectorize.ts'
import { embedItems } from '../../src/memory/embedding/embed.ts'
import type { Ready } from '../../src/reference/ready.ts'
import { DAY, travel } from '../support/clock.ts'
import { CANARY, FAULTY } from '../support/faulty-settings.ts'
import { readyWith, readyWithThree } from '../support/ready.ts'
import { ctxOf, stored } from '../support/search.ts'
import { call, db, newTenant, system } from '../support/world.ts'
import { embeddingModel, withVectors } from '../support/models.ts'

const CACHED_MS = 10_000

const down = {
  prepare: () => {
    throw new Error('down')
  },
}
test('/ready reports each dependency and backlog without authentication (contract §7)', async () => {
  const { status, body } = await call('GET', '/ready')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    status: 'ready',
    checks: {
      database_00: { status: 'ok' },
      audit_00: { status: 'ok' },
      limiter: { status: 'ok' },
      queues: { status: 'ok' },
      vectors: { status: 'ok' },
      configuration: { status: 'ok' },
    },
    embedder: { model: embeddedEmbedder.model, dimension: embeddedEmbedder.dimension, fault: null },
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
    'reindexing',
    'filing',
    'expiry',
    'purge',
    'erasures',
    'events',
    'deliveries',
    'audit',
    'revocations',
  ])
})

test('/ready is cached for ten seconds', async () => {
  // What an earlier test was answered is no longer cached.
  travel(CACHED_MS)
  const { body: first } = await call('GET', '/ready')
  expect(first.checked_at).toBe(iso(system.now()))
  travel(CACHED_MS - 1)
  const { body: second } = await call('GET', '/ready')
  expect(second.checked_at).toBe(first.checked_at)
  travel(1)
  const { body: third } = await call('GET', '/ready')
  expect(third.checked_at).toBe(iso(system.now()))
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

test('/ready is 503 where settings are faulty, with a line of each that holds no value', async () => {
  expect((await readyWith({ DATA_REGION: 'weur', QUOTA_ITEMS: '10' })).status).toBe(200)
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => logged.mockRestore())
  const required = ['ENVIRONMENT', 'TOKEN_KEYS', 'PASSWORD_PEPPERS', 'DATA_KEYS']
  const faulty = Object.fromEntries(Object.entries(FAULTY).filter(([name]) => !required.includes(name)))
  const answer = await readyWith(faulty)
  expect(answer.status).toBe(503)
  const { checks, faults } = await answer.json<Ready>()
  expect(checks['configuration']?.status).toBe('failed')
  expect(faults.map((line) => line.split(' ')[0])).toEqual(Object.keys(faulty))
  expect(faults).toContain('QUOTA_ITEMS must be a whole number from 0 to 999999999')
  expect(JSON.stringify([faults, logged.mock.calls])).not.toContain(CANARY)
})

test('/ready is 503 where a database does not answer', async () => {
  const answer = await readyWith({
    AUDIT_DB: down,
  })
  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({ failed_shards: ['00'], checks: { audit_00: { status: 'failed' } } })
})

test('contract §7: /ready checks the databases of every shard, at most six of them at once', async () => {
  const well = await readyWithThree({})
  expect(well.status).toBe(200)
  const { checks, ...rest } = await well.json<{ checks: object }>()
  expect(
    Object.keys(checks)
      .filter((name) => /_\d\d$/.test(name))
      .toSorted(),
  ).toEqual(['audit', 'database'].flatMap((kind) => ['00', '01', '02'].map((shard) => `${kind}_${shard}`)))
  expect(rest).toMatchObject({ status: 'ready', failed_shards: [] })
  let running = 0
  let most = 0
  const seen = (database: D1Database) =>
    observedDatabase(database, async (trip) => {
      most = Math.max(most, (running += 1))
      return trip().finally(() => (running -= 1))
    })
  const many = firstShards(8).flatMap((shard) => [
    [bindingOf('DB', shard), seen(env.DB)],
    [bindingOf('AUDIT_DB', shard), seen(env.AUDIT_DB)],
  ])
  expect((await readyWith(Object.fromEntries(many))).status).toBe(200)
  expect(most).toBe(6)
})

test.each([
  ['one of three fails', { DB_02: down }, 200, 'degraded', ['02']],
  ['an audit database fails', { AUDIT_DB_01: down }, 200, 'degraded', ['01']],
  ['both of a shard fail', { DB_01: down, AUDIT_DB_01: down }, 200, 'degraded', ['01']],
  ['more than half fail', { DB_01: down, AUDIT_DB_02: down }, 503, 'unavailable', ['01', '02']],
  ['the shard of the directory fails', { DB: down }, 503, 'unavailable', ['00']],
  ['a shard lacks a migration', { DB_01: env.AUDIT_DB }, 200, 'degraded', ['01']],
])('contract §7: /ready where %s', async (_, changes, status, word, shards) => {
  const answer = await readyWithThree(changes)
  expect(answer.status).toBe(status)
  expect(await answer.json()).toMatchObject({ status: word, failed_shards: shards })
})

test('contract §7: where half of the shards fail, /ready is degraded: half is not more than half', async () => {
  const answer = await readyWith({ DB_01: down, AUDIT_DB_01: env.AUDIT_DB })
  expect([answer.status, await answer.json()]).toEqual([
    200,
    expect.objectContaining({ status: 'degraded', failed_shards: ['01'] }),
  ])
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
  const index = new VectorizeDouble(embeddedEmbedder.dimension)
  const well = await readyWith({ VECTORIZE: index })
  expect(well.status).toBe(200)
  expect(await well.json()).toMatchObject({ checks: { vector_index: { status: 'ok' } } })
  const other = new VectorizeDouble(embeddedEmbedder.dimension + 1)
  index.down = true
  for (const VECTORIZE of [index, other]) {
    const answer = await readyWith({ VECTORIZE })
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ checks: { vector_index: { status: 'failed' } } })
  }
})

test('contract §7: /ready is 503 while the vectors of the model have another dimension, and says which', async () => {
  // It looks at the latest items that wait, and what other tests left waits too.
  travel(DAY)
  const user = await newTenant()
  const EMBEDDINGS_MODEL = 'test-ready'
  const variables = { EMBEDDINGS_URL: 'http://models.test/v1/embeddings', EMBEDDINGS_MODEL }
  const well = await readyWith({ ...variables, EMBEDDINGS_DIMENSION: '384' })
  expect(await well.json()).toMatchObject({ embedder: { model: 'openai/test-ready', dimension: 384, fault: null } })
  const model = withVectors(embeddingModel, (vectors) => vectors)
  const ctx = ctxOf(user, { embeddingModel: { ...model, model: 'openai/test-ready', dimension: 768 } })
  const item = await stored(ctx, 'a boiling kettle')
  await embedItems(ctx, db, [item.id])
  const answer = await readyWith({ ...variables, EMBEDDINGS_DIMENSION: '768' })
  expect(answer.status).toBe(503)
  const fault = 'The embedding model openai/test-ready returned vectors of 256 values; 768 are expected.'
  expect(await answer.json()).toMatchObject({ checks: { embedder: { status: 'failed' } }, embedder: { fault } })
  // What was expected before does not count.
  expect((await readyWith({ ...variables, EMBEDDINGS_DIMENSION: '256' })).status).toBe(200)
  await db.write('delete from memory_items where id = :id', { id: item.id })
})

const failing = (embed: EmbeddingModel['embed']): Parameters<typeof ctxOf>[1] => ({
  embeddingModel: { ...embeddingModel, embed },
})

test.each<[string, Parameters<typeof ctxOf>[1], string]>([
  [
    'the model answers a failure',
    failing(() => Promise.reject(new FailedAnswer('openai/test-failing', 401))),
    'The embedding model openai/test-failing answered with status 401.',
  ],
  [
    'the model asked for a pause',
    failing(() => Promise.reject(new ModelDown('429', 0, { cause: new FailedAnswer('openai/test-failing', 429) }))),
    'The embedding model openai/test-failing answered with status 429.',
  ],
  [
    'the model answers what cannot be vectors',
    failing(async () => []),
    'The embedding model returned no usable vectors.',
  ],
  [
    'the model does not answer',
    failing(() => Promise.reject(new Error('connection refused'))),
    'The embedding model did not answer.',
  ],
  [
    'their vectors cannot be stored',
    {
      projectVectors: (projectId, shard) => ({
        ...system.projectVectors(projectId, shard),
        put: () => Promise.reject(new Error('gone')),
      }),
    },
    'The vectors could not be stored.',
  ],
])('contract §7: /ready warns while items wait because %s, says so, and stays 200', async (_, failure, error) => {
  // It looks at the latest attempts, and what other tests left waits too, some of it for the same reason.
  travel(DAY)
  await db.write(`update memory_items set embedding_error = null where embedding_status in ('pending', 'processing')`)
  const ctx = ctxOf(await newTenant(), failure)
  const item = await stored(ctx, 'a boiling kettle')
  const details = async (): Promise<unknown> => {
    const answer = await readyWith({})
    expect(answer.status).toBe(200)
    const { status, checks, warnings } = await answer.json<Ready>()
    expect({ status, check: checks['embedder']?.status }).toEqual({ status: 'ready', check: 'ok' })
    return warnings
      .filter(({ name, shard }) => name === 'embedding_failing' && shard === '00')
      .map(({ detail }) => detail)
  }
  expect(await details()).toEqual([])
  await embedItems(ctx, db, [item.id])
  expect(await details()).toEqual([`Items are waiting. ${error}`])
  await db.write('delete from memory_items where id = :id', { id: item.id })
  expect(await details()).toEqual([])
})

test.each([
  ['no reranker where none is configured', {}, null],
  ['the reranker behind RERANK_URL', { RERANK_URL: 'http://models.test/v1/rerank', RERANK_MODEL: 'one' }, 'one'],
  ['the one of Workers AI', { AI: { run: () => ({}) } }, '@cf/baai/bge-reranker-base'],
])('contract §7: /ready names %s', async (_, variables, model) => {
  expect(await (await readyWith(variables)).json()).toMatchObject({ reranker: model === null ? null : { model } })
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
