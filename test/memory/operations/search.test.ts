/** @module-tag long */
import { expect, test } from 'vitest'
import type { Meter } from '../../../src/core/database/meter.ts'
import { batch } from '../../../src/memory/operations/batch.ts'
import { SearchInput } from '../../../src/memory/search/search-schema.ts'
import { UNSEEN_SHARE } from '../../../src/memory/search/ranking.ts'
import { travel } from '../../support/clock.ts'
import { ctxOf, embedded, find, idsOf, stored } from '../../support/search.ts'
import { until } from '../../support/until.ts'
import { call, db, newTenant, system } from '../../support/world.ts'

test('an item is found by its words the moment store answers, by its meaning the moment it is completed', async () => {
  const { key } = await newTenant()
  const { body: item } = await call('POST', '/api/memory/store', {
    key,
    body: { content: 'The customer pays with a blue card.' },
  })
  const search = async (body: unknown) => (await call('POST', '/api/memory/search', { key, body })).body
  expect(idsOf(await search({ query: 'blue cards', mode: 'keyword' }))).toEqual([item.id])
  const completed = async () => {
    const { body } = await call('GET', `/v1/memory/items/${item.id}`, { key })
    expect(body.embedding_status).toBe('completed')
  }
  // Slower than the limit of a key, so that the search after it is admitted.
  await until(completed, { everyMs: 500 })
  expect(idsOf(await search({ query: 'paying customer', mode: 'semantic' }))).toEqual([item.id])
})

test('the answer has the fields of the contract', async () => {
  const user = await newTenant()
  const [id] = await embedded(ctxOf(user), ['The customer pays with a blue card.'])
  const reply = await find(ctxOf(user), 'blue card', { include: ['score_breakdown'] })
  expect(reply).toEqual({
    results: [
      expect.objectContaining({
        id,
        content: { text: 'The customer pays with a blue card.', type: 'text/plain', metadata: {} },
        similarity: expect.any(Number),
        score: expect.any(Number),
        snippet: 'The customer pays with a blue card.',
        score_breakdown: {
          keyword: { rank: 1, score: expect.any(Number) },
          semantic: { rank: 1, similarity: expect.any(Number), score: expect.any(Number) },
          terms_left_out: 0,
          weights: { keyword: 1 - system.embedder.semanticWeight, semantic: system.embedder.semanticWeight },
          contributions: {
            keyword: expect.any(Number),
            semantic: expect.any(Number),
            speaker: 0,
            date: 0,
            neighbor: 0,
          },
        },
      }),
    ],
    total: 1,
    mode: 'hybrid',
    interpreted: null,
    pending: 0,
    took_ms: expect.any(Number),
    query_vector_id: expect.stringMatching(/^qv_/),
  })
  const [plain] = (await find(ctxOf(user), 'blue card')).results
  expect(plain).not.toHaveProperty('score_breakdown')
})

test('semantic matches are always part of hybrid; where only words matched, similarity is null', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const [meant = ''] = await embedded(ctx, ['cardholders'])
  const words = await stored(ctx, 'a card is pending')
  const reply = await find(ctx, 'card')
  expect(idsOf(reply).sort()).toEqual([meant, words.id].sort())
  expect(reply.results.find((result) => result.id === words.id)?.similarity).toBeNull()
  expect(reply.results.find((result) => result.id === meant)?.similarity).toBeGreaterThan(0)
  expect(reply).toMatchObject({ total: 2, pending: 1 })
})

test('total counts the matches within what is considered, at least those returned; limit is 10 unless named', async () => {
  const user = await newTenant()
  await embedded(
    ctxOf(user),
    Array.from({ length: 14 }, (_, n) => `kettle ${n}`),
  )
  for (const mode of ['keyword', 'semantic', 'hybrid']) {
    const reply = await find(ctxOf(user), 'kettle', { mode })
    expect({ mode, shown: reply.results.length, total: reply.total }).toEqual({ mode, shown: 10, total: 14 })
    expect((await find(ctxOf(user), 'kettle', { mode, limit: 100 })).results).toHaveLength(14)
  }
})

test('contract §3: a score is (1 − w) · keyword + w · semantic, from 0 to 1, best first; one mode alone has the weight 1', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  await embedded(ctx, ['a blue kettle', 'a kettle, blue as blue can be', 'blue', 'a kettle'])
  await stored(ctx, 'a kettle that is not embedded')
  for (const [mode, weight] of [
    ['hybrid', ctx.embedder.semanticWeight],
    ['semantic', 1],
    ['keyword', 0],
  ] as const) {
    const { results } = await find(ctx, 'blue kettle', { mode, include: ['score_breakdown'] })
    expect(results.length).toBeGreaterThan(2)
    const last = Math.min(...results.map((result) => result.score_breakdown?.semantic?.score ?? 1))
    const unseen = UNSEEN_SHARE * last
    for (const { score, score_breakdown: parts, similarity } of results) {
      expect(parts?.weights).toEqual({ keyword: 1 - weight, semantic: weight })
      const { keyword = 0, semantic = 0 } = parts?.contributions ?? {}
      expect(score).toBeCloseTo(keyword + semantic, 5)
      expect(keyword).toBeCloseTo((1 - weight) * (parts?.keyword?.score ?? 0), 5)
      expect(semantic).toBeCloseTo(weight * (parts?.semantic?.score ?? unseen), 5)
      expect(score).toBe(Number(score.toFixed(6)))
      expect(score).toBeGreaterThan(0)
      expect(score).toBeLessThanOrEqual(1)
      expect(parts?.semantic?.similarity ?? null).toBe(similarity)
    }
    const scores = results.map(({ score }) => score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
  }
})

test('pending is counted to 1,000', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  for (let at = 0; at < 1_001; at += 50) {
    const operations = Array.from({ length: Math.min(50, 1_001 - at) }, () => ({ op: 'store', content: 'x' }))
    await batch(ctxOf(user), { operations })
    const { pending } = await find(ctx, 'nothing of it', { mode: 'keyword' })
    expect(pending).toBe(Math.min(1_000, at + operations.length))
  }
  // They would keep the sweep of other tests busy.
  await db.write('delete from memory_items where project_id = :project', { project: user.projectId })
})

test('similarity_threshold drops what is lower or null, in every mode; with keyword it is 422', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const [near] = await embedded(ctx, ['blue card payment', 'unrelated gardening tips'])
  await stored(ctx, 'blue card, not embedded')
  for (const mode of ['hybrid', 'semantic'])
    expect(idsOf(await find(ctx, 'blue card payment', { mode, similarity_threshold: 0.8 }))).toEqual([near])
  const faults = SearchInput.safeParse({ query: 'x', mode: 'keyword', similarity_threshold: 0.5 }).error?.issues
  expect(faults?.map((issue) => issue.path)).toEqual([['similarity_threshold']])
})

test.each([
  ['an empty query', { query: '' }],
  ['a query of 4,097 characters', { query: 'x'.repeat(4_097) }],
  ['limit 0', { query: 'x', limit: 0 }],
  ['limit 101', { query: 'x', limit: 101 }],
  ['a threshold of 1.1', { query: 'x', similarity_threshold: 1.1 }],
  ['an unknown mode', { query: 'x', mode: 'fuzzy' }],
  ['an unknown member', { query: 'x', project_id: 'prj_x' }],
  ['an unknown context', { query: 'x', context: { user: 'y' } }],
  ['an unknown filter', { query: 'x', filters: { colour: 'red' } }],
])('422: %s', async (_, body) => {
  const { key } = await newTenant()
  const answer = await call('POST', '/api/memory/search', { key, body })
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 422, code: 'validation_failed' })
})

test('context labels narrow the search', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const [first = ''] = await embedded(ctx, ['same words'], {
    context: { conversation_id: 'c1', scope: 'conversation' },
  })
  const [second = ''] = await embedded(ctx, ['same words'], { context: { session_id: 's1', document_id: 'd1' } })
  const found = async (context: unknown) => idsOf(await find(ctx, 'same words', { context }))
  expect(await found({ conversation_id: 'c1' })).toEqual([first])
  expect(await found({ scope: 'conversation' })).toEqual([first])
  expect(await found({ session_id: 's1', document_id: 'd1' })).toEqual([second])
  expect(await found({ session_id: 's1', document_id: 'd2' })).toEqual([])
})

test('filters never cost recall: the one match is found behind 400 better ones', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  await embedded(
    ctx,
    Array.from({ length: 400 }, (_, at) => `the blue kettle whistles ${at}`),
  )
  const [needle] = await embedded(ctx, ['a kettle of another sort'], { tags: ['rare'] })
  for (const mode of ['semantic', 'keyword', 'hybrid'])
    expect(idsOf(await find(ctx, 'the blue kettle whistles', { mode, filters: { tags: ['rare'] } }))).toEqual([needle])
})

test.each([
  '"unclosed',
  'a AND OR NOT b',
  'NEAR(a b)',
  'words:a',
  'a* ^b -c +d',
  '{a b} : c',
  '%',
  '_',
  "'; drop table memory_words; --",
  '\\',
  'мама мыла раму',
  '北京大学',
])('security 31: the query %j is words, never an operator', async (query) => {
  const user = await newTenant()
  await embedded(ctxOf(user), ['something else entirely'])
  const [id] = await embedded(ctxOf(user), [`quoted ${query} text`])
  for (const mode of ['keyword', 'hybrid', 'semantic']) {
    const reply = await find(ctxOf(user), `quoted ${query}`, { mode })
    expect(idsOf(reply)[0]).toBe(id)
  }
})

test('"_" and "%" alone match nothing by words', async () => {
  const user = await newTenant()
  await embedded(ctxOf(user), ['anything at all'])
  for (const query of ['_', '%', '*', '???'])
    expect(await find(ctxOf(user), query, { mode: 'keyword' })).toMatchObject({ results: [], total: 0 })
})

test('one hub call, one call to the vectors, one D1 statement; its rows depend on the project alone', async () => {
  const user = await newTenant()
  const strangers = await newTenant()
  const texts = Array.from({ length: 30 }, (_, at) => `kettle number ${at} of the blue house`)
  await embedded(ctxOf(user), texts)
  // A scan of an index ends at the row behind it, so there is one.
  await embedded(ctxOf(strangers), texts.slice(0, 1))
  const measure = async () => {
    const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
    let vectorCalls = 0
    const ctx = ctxOf(user, {
      db: db.metered(meter),
      projectVectors: (projectId, shard) => {
        vectorCalls += 1
        return system.projectVectors(projectId, shard)
      },
    })
    expect(idsOf(await find(ctx, 'blue kettle'))).toHaveLength(10)
    return { ...meter, vectorCalls }
  }
  // The first search of a project looks for conversations, and now and then one looks for items of other models.
  travel(0)
  await measure()
  const before = await measure()
  expect(before).toMatchObject({ roundTrips: 1, rowsWritten: 0, vectorCalls: 1 })
  expect(before.rowsRead).toBeLessThan(1_200)
  await embedded(ctxOf(strangers), texts)
  await embedded(ctxOf(strangers), texts)
  expect((await measure()).rowsRead).toBe(before.rowsRead)
})

test('audit: one row per search with the ids returned, never the query', async () => {
  const user = await newTenant()
  const [id] = await embedded(ctxOf(user), ['audited words'])
  await call('POST', '/api/memory/search', { key: user.key, body: { query: 'audited words' } })
  await until(async () => {
    const pages = await system
      .auditDatabase('00')
      .all<{ rows: string }>('select rows from audit_pages where tenant_id = :tenant', { tenant: user.tenantId })
    const kept = pages.map((page) => page.rows).join()
    expect(kept).toContain(id)
    expect(kept).toContain('memory.search')
    expect(kept).not.toContain('audited words')
  })
})
