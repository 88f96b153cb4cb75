/** @module-tag long */
import { expect, test } from 'vitest'
import { newTrail } from '../../../src/core/context.ts'
import { search } from '../../../src/memory/operations/search.ts'
import { SearchInput } from '../../../src/memory/search/search-schema.ts'
import { LENT_SHARES } from '../../../src/memory/search/neighbors-lend-sql.ts'
import { ctxOf, find, idsOf, stored } from '../../support/search.ts'
import { addKey, addMember, call, newTenant, system } from '../../support/world.ts'

/** A conversation of the owner's: each text in order, some seconds apart. */
async function talk(texts: string[], more: (at: number) => Record<string, unknown> = () => ({})) {
  const owner = await newTenant()
  const ctx = ctxOf(owner)
  const own: string[] = []
  for (const [at, text] of texts.entries()) {
    const item = await stored(ctx, text, {
      context: { conversation_id: 'c' },
      occurred_at: `2023-05-08T00:00:${String(10 + at)}Z`,
      ...more(at),
    })
    own.push(item.id)
  }
  return { owner, ctx, ids: own }
}

const [NEXT, SECOND, THIRD] = LENT_SHARES

test('an answer without a word of the question is found by a turn up to three before it, with a share of its score', async () => {
  const { ctx, ids: turns } = await talk(['Hello.', 'When is the dentist?', 'At nine.', 'Fine.', 'Thanks.', 'Bye.'])
  const { results, total } = await find(ctx, 'dentist', { mode: 'keyword', include: ['score_breakdown'] })
  expect(results.map(({ id }) => id)).toEqual([turns[1], turns[2], turns[0], turns[3], turns[4]])
  expect(total).toBe(5)
  const [question, answer, hello, second, third] = results
  expect(answer?.score).toBeCloseTo(NEXT * (question?.score ?? 0), 5)
  expect(hello?.score).toBe(answer?.score)
  expect(second?.score).toBeCloseTo(SECOND * (question?.score ?? 0), 5)
  expect(third?.score).toBeCloseTo(THIRD * (question?.score ?? 0), 5)
  expect(answer).toMatchObject({
    similarity: null,
    score_breakdown: {
      keyword: null,
      semantic: null,
      contributions: { keyword: 0, semantic: 0, date: 0, neighbor: answer?.score },
    },
  })
  expect(question?.score_breakdown?.contributions.neighbor).toBe(0)
})

test('a time and a speaker decide nowhere whose neighbours become results', async () => {
  const ctx = ctxOf(await newTenant())
  for (const at of Array.from({ length: 14 }).keys()) {
    const context = { conversation_id: `c${at}` }
    const day = `2026-03-${String(at + 1).padStart(2, '0')}`
    await stored(ctx, `Name${at}: a kayak${' and red'.repeat(at)}`, { context, occurred_at: `${day}T10:00:00Z` })
    await stored(ctx, 'Something else.', { context, occurred_at: `${day}T10:01:00Z` })
  }
  const found = async (query: string, reference_date: string) =>
    idsOf(await find(ctx, query, { mode: 'keyword', limit: 100, reference_date }))
  const early = await found('kayak yesterday', '2026-03-02T12:00:00Z')
  const late = await found('kayak yesterday', '2026-03-15T12:00:00Z')
  expect(early).toHaveLength(24)
  expect(late).not.toEqual(early)
  expect(new Set(late)).toEqual(new Set(early))
})

test('a result gains by the best of its neighbours, and gains do not travel on', async () => {
  const texts = ['nothing', 'dentist', 'a dentist and much more to say', 'words', 'nothing', 'nothing', 'nothing']
  const { ctx, ids: turns } = await talk(texts)
  const { results } = await find(ctx, 'dentist', { mode: 'keyword', include: ['score_breakdown'] })
  const parts = new Map(results.map((one) => [one.id, one.score_breakdown?.contributions]))
  const [short, long] = [parts.get(turns[1] ?? ''), parts.get(turns[2] ?? '')]
  const own = { short: short?.keyword ?? 0, long: long?.keyword ?? 0 }
  expect(own.short).toBeGreaterThan(own.long)
  expect(long?.neighbor).toBeCloseTo(NEXT * own.short, 5)
  expect(short?.neighbor).toBeCloseTo(NEXT * own.long, 5)
  expect(parts.get(turns[3] ?? '')?.neighbor).toBeCloseTo(Math.max(NEXT * own.long, SECOND * own.short), 5)
  expect(parts.get(turns[5] ?? '')?.neighbor).toBeCloseTo(THIRD * own.long, 5)
  expect(results.map(({ id }) => id)).not.toContain(turns[6])
})

test('two results gain by each other over items between them that are no results, up to the third', async () => {
  const apart = async (between: number) => {
    const { ctx, ids: turns } = await talk([
      'dentist',
      ...Array.from({ length: between }, () => 'nothing'),
      'a dentist and more words',
    ])
    const { results } = await find(ctx, 'dentist', { mode: 'keyword', include: ['score_breakdown'] })
    const last = results.find(({ id }) => id === turns.at(-1))?.score_breakdown?.contributions.neighbor ?? 0
    const first = results.find(({ id }) => id === turns[0])?.score_breakdown?.contributions.keyword ?? NaN
    return last / first
  }
  expect(await apart(1)).toBeCloseTo(SECOND, 4)
  expect(await apart(2)).toBeCloseTo(THIRD, 4)
  expect(await apart(3)).toBe(0)
})

test('a score with its gain is at most 1', async () => {
  const { ctx } = await talk(['zebra', 'zebra', 'zebra'])
  await stored(ctx, 'many other words that are none of these at all', { tags: ['x'] })
  for (const { score } of (await find(ctx, 'zebra', { mode: 'hybrid' })).results) expect(score).toBeLessThanOrEqual(1)
})

test('what the filters, the context or a threshold leave out neither lends nor is shown', async () => {
  const { ctx, ids: turns } = await talk(['When is the dentist?', 'At nine.'], (at) => ({
    tags: [at === 0 ? 'q' : 'a'],
  }))
  const found = async (more: Record<string, unknown>) => idsOf(await find(ctx, 'dentist', more))
  expect(await found({ mode: 'keyword', filters: { tags: ['q'] } })).toEqual([turns[0]])
  expect(await found({ mode: 'keyword', filters: { tags: ['a'] } })).toEqual([])
  expect(await found({ mode: 'keyword', context: { namespace: 'other' } })).toEqual([])
  const close = await find(ctx, 'dentist', { similarity_threshold: 0 })
  expect(close.results.every(({ similarity }) => similarity !== null)).toBe(true)
})

test('another conversation, namespace or project lends nothing, nor does an item that is deleted or expired', async () => {
  const { owner, ctx, ids: turns } = await talk(['At eight.', 'When is the dentist?', 'At nine.'])
  const stranger = ctxOf(await newTenant())
  const at = '2023-05-08T00:00:11Z'
  const context = { conversation_id: 'c' }
  await stored(stranger, 'At ten.', { context, occurred_at: at })
  await stored(ctx, 'At eleven.', { context: { conversation_id: 'd' }, occurred_at: at })
  await stored(ctx, 'At twelve.', { context: { ...context, namespace: 'n' }, occurred_at: at })
  const found = async (from = ctx, more: Record<string, unknown> = {}) =>
    idsOf(await find(from, 'dentist', { mode: 'keyword', context: { namespace: '*' }, ...more }))
  expect(await found()).toEqual([turns[1], turns[2], turns[0]])
  await call('DELETE', `/v1/memory/items/${turns[0]}`, { key: owner.key })
  await call('PATCH', `/v1/memory/items/${turns[2]}`, { key: owner.key, body: { ttl: 1 } })
  const later = ctxOf(owner, { now: () => system.now() + 5_000 })
  expect(await found(later)).toEqual([turns[1]])
})

test('security 63: a neighbour that the caller may not read is neither found nor shown, and the next one takes its place', async () => {
  const {
    owner,
    ctx,
    ids: turns,
  } = await talk(['At eight.', 'A secret.', 'When is the dentist?', 'A secret.', 'At nine.'], (at) => ({
    visibility: at % 2 === 1 ? 'private' : 'project',
  }))
  const colleague = await addMember(owner, 'viewer')
  const ask = { mode: 'keyword', neighbors: 5 }
  const seen = await find(
    ctxOf(colleague, { principal: { ...ctxOf(colleague).principal, defaultProjectId: owner.projectId } }),
    'dentist',
    ask,
  )
  expect(idsOf(seen)).toEqual([turns[2], turns[4], turns[0]])
  expect(JSON.stringify(seen)).not.toContain('secret')
  expect(seen.results[0]?.neighbors?.map(({ id, offset }) => [id, offset])).toEqual([
    [turns[0], -1],
    [turns[4], 1],
  ])
  expect(idsOf(await find(ctx, 'dentist', ask))).toEqual([turns[2], turns[3], turns[1], turns[4], turns[0]])
  // A key that may not read the namespace sees nothing of the conversation.
  const permissions = [{ project_id: owner.projectId, access: 'read' as const, namespaces: ['n'] }]
  const { secret } = await addKey(owner, { permissions })
  const body = { query: 'dentist', neighbors: 5, context: { namespace: '*' } }
  expect((await call('POST', '/api/memory/search', { key: secret, body })).body.results).toEqual([])
})

test('neighbors shows the items around each result in order, whatever the filters, and the audit names them', async () => {
  const long = `${'🫖'.repeat(1_999)}xyz`
  const { ctx, ids: turns } = await talk(['zero', 'one', 'two', 'three dentist', long, 'five', 'six'], (at) => ({
    tags: at === 3 ? ['q'] : [],
    ...(at === 5 ? { occurred_at: '2023-05-08T01:00:00Z' } : {}),
    ...(at === 6 ? { occurred_at: undefined } : {}),
  }))
  const trail = newTrail()
  const input = SearchInput.parse({ query: 'dentist', mode: 'keyword', filters: { tags: ['q'] }, neighbors: 2 })
  const { results } = await search({ ...ctx, trail }, input)
  expect(results).toHaveLength(1)
  const [first] = results
  expect(first?.neighbors).toEqual([
    { id: turns[1], offset: -2, text: 'one', occurred_at: '2023-05-08T00:00:11.000Z', created_at: expect.any(String) },
    { id: turns[2], offset: -1, text: 'two', occurred_at: '2023-05-08T00:00:12.000Z', created_at: expect.any(String) },
    {
      id: turns[4],
      offset: 1,
      text: `${'🫖'.repeat(1_999)}x`,
      truncated: true,
      occurred_at: '2023-05-08T00:00:14.000Z',
      created_at: expect.any(String),
    },
    { id: turns[5], offset: 2, text: 'five', occurred_at: '2023-05-08T01:00:00.000Z', created_at: expect.any(String) },
  ])
  expect(new Set(trail.resourceIds)).toEqual(new Set([turns[3], turns[1], turns[2], turns[4], turns[5]]))
  const all = await find(ctx, 'dentist', { mode: 'keyword', filters: { tags: ['q'] }, neighbors: 5 })
  expect(all.results[0]?.neighbors?.map(({ offset }) => offset)).toEqual([-3, -2, -1, 1, 2, 3])
  expect(all.results[0]?.neighbors?.at(-1)).toMatchObject({ id: turns[6], occurred_at: null })
  const none = await find(ctx, 'dentist', { mode: 'keyword', neighbors: 0 })
  expect(none.results[0]).not.toHaveProperty('neighbors')
})

test('an item without a conversation has no neighbours, and the texts of neighbours fill max_tokens too', async () => {
  const { ctx } = await talk(['dentist one', 'x'.repeat(300), 'dentist two'])
  await stored(ctx, 'dentist alone')
  const more = { mode: 'keyword', neighbors: 1 }
  const { results } = await find(ctx, 'dentist', more)
  expect(results.find(({ content }) => content.text === 'dentist alone')?.neighbors).toEqual([])
  const fits = await find(ctx, 'dentist', { mode: 'keyword', max_tokens: 13 })
  const cut = await find(ctx, 'dentist', { ...more, max_tokens: 13 })
  expect([fits.results.length, cut.results.length]).toEqual([3, 1])
})

test.each([
  ['neighbors of 6', { neighbors: 6 }, 'neighbors'],
  ['neighbors of -1', { neighbors: -1 }, 'neighbors'],
  ['neighbors of 1.5', { neighbors: 1.5 }, 'neighbors'],
  ['recency without a half-life', { recency: { weight: 0.5 } }, 'recency.half_life_days'],
  ['a half-life of 0', { recency: { weight: 0.5, half_life_days: 0 } }, 'recency.half_life_days'],
  ['a half-life past a hundred years', { recency: { weight: 0.5, half_life_days: 36_501 } }, 'recency.half_life_days'],
  ['a weight above 1', { recency: { weight: 1.1, half_life_days: 1 } }, 'recency.weight'],
  ['a negative weight', { recency: { weight: -0.1, half_life_days: 1 } }, 'recency.weight'],
  ['an unknown member', { recency: { weight: 0.1, half_life_days: 1, by: 'x' } }, 'recency.by'],
])('422: %s', async (_, more, path) => {
  const { key } = await newTenant()
  const { status, body } = await call('POST', '/api/memory/search', { key, body: { query: 'x', ...more } })
  expect({ status, path: body.errors?.[0].path }).toEqual({ status: 422, path })
})
