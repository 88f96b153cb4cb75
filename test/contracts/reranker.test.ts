/** @module-tag shards */
import { describe, expect, test } from 'vitest'
import { httpReranker } from '../../src/backends/reranker.http.ts'
import { workersAiReranker, type RerankModel } from '../../src/backends/reranker.workers-ai.ts'
import { ModelDown, UnusableAnswer } from '../../src/core/embedding.ts'
import type { RerankingModel } from '../../src/core/models.ts'
import { endlessResponse } from '../support/endless.ts'
import { settings, scoreOf, ranked, service } from '../support/rerank-service.ts'

/** The `AI` binding as documented. */
const ai: RerankModel = {
  async run(model, { query, contexts, top_k }) {
    if (model !== '@cf/baai/bge-reranker-base') throw new Error('5007: No such model')
    if (query === 'overloaded') throw new Error('3040: Capacity temporarily exceeded')
    const texts = contexts.map(({ text }) => text)
    return { response: ranked(query, texts, top_k).map(({ index, score }) => ({ id: index, score })) }
  },
}

const backends: Record<string, RerankingModel> = {
  'HTTP /rerank': httpReranker(settings, service),
  'Workers AI': workersAiReranker(ai),
}

describe.each(Object.entries(backends))('%s', (_, reranker) => {
  test('answers one score for each text, in their order', async () => {
    const texts = ['a red kettle', 'nothing', 'a blue kettle', 'blue']
    expect(await reranker.rerank('blue kettle', texts)).toEqual([-1, -3, 1, -1])
  })

  test('30 texts have 30 scores, the best and the worst', async () => {
    const texts = Array.from({ length: 30 }, (_, at) => (at % 7 ? `text ${at}` : 'blue kettle'))
    const scores = await reranker.rerank('blue kettle', texts)
    expect(scores).toEqual(texts.map((text) => scoreOf('blue kettle', text)))
  })

  test('one text, and texts of any script, have scores', async () => {
    expect(await reranker.rerank('x', ['x'])).toEqual([-1])
    expect(await reranker.rerank('дом', ['дом', '北京大学', '👍🏽', ' '])).toHaveLength(4)
  })

  test('names its model', () => {
    expect(reranker.model).toMatch(/./)
  })

  test('a model that fails is an error that is no answer', async () => {
    const failure = await reranker.rerank('overloaded', ['x']).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toBeInstanceOf(UnusableAnswer)
  })
})

/** What a model answers for two texts that is not their scores. */
type Pair = [index: unknown, score: unknown]
const LIES: [string, Pair[]][] = [
  ['no score', []],
  ['one score too few', [[0, 1]]],
  [
    'one score too many',
    [
      [0, 1],
      [1, 2],
      [2, 3],
    ],
  ],
  [
    'one text twice',
    [
      [0, 1],
      [0, 2],
    ],
  ],
  [
    'a text that nobody sent',
    [
      [0, 1],
      [2, 2],
    ],
  ],
  [
    'a negative index',
    [
      [-1, 1],
      [0, 2],
    ],
  ],
  [
    'a broken index',
    [
      [0, 1],
      [0.5, 2],
    ],
  ],
  [
    'a score that is not a number',
    [
      [0, 1],
      [1, NaN],
    ],
  ],
  [
    'an infinite score',
    [
      [0, 1],
      [1, Infinity],
    ],
  ],
  [
    'a text for a score',
    [
      [0, 1],
      [1, '2'],
    ],
  ],
  [
    'null for a score',
    [
      [0, 1],
      [1, null],
    ],
  ],
]

/** JSON as a careless server writes it: with values that are too large for a number, and null for what is none. */
const careless = (value: unknown): string =>
  JSON.stringify(value, (_, member) => (member === Infinity ? '1e999' : member)).replaceAll('"1e999"', '1e999')

const httpAnswering = (answer: () => Response): RerankingModel => httpReranker(settings, async () => answer())
const lying: Record<string, (pairs: Pair[]) => RerankingModel> = {
  'HTTP /rerank': (pairs) =>
    httpAnswering(
      () => new Response(careless({ results: pairs.map(([index, score]) => ({ index, relevance_score: score })) })),
    ),
  'Workers AI': (pairs) =>
    workersAiReranker({ run: async () => ({ response: pairs.map(([id, score]) => ({ id, score })) }) }),
}

describe.each(Object.entries(lying))('%s, lying', (_, answering) => {
  test('the scores of both texts pass', async () => {
    expect(
      await answering([
        [1, 0.5],
        [0, -7],
      ]).rerank('q', ['one', 'two']),
    ).toEqual([-7, 0.5])
  })

  test.each(LIES)('%s is unusable', async (_, pairs) => {
    await expect(answering(pairs).rerank('q', ['one', 'two'])).rejects.toBeInstanceOf(UnusableAnswer)
  })
})

test.each([
  ['an empty body', ''],
  ['a page', '<html>502</html>'],
  ['null', 'null'],
  ['no results', '{"model": "x"}'],
])('HTTP /rerank, lying: %s is unusable', async (_, body) => {
  await expect(httpAnswering(() => new Response(body)).rerank('q', ['x'])).rejects.toBeInstanceOf(UnusableAnswer)
})

test('security 37: of an answer of HTTP /rerank that never ends, a bounded part is read', async () => {
  const endless = endlessResponse()
  const answer = httpAnswering(() => endless.response).rerank('q', ['x'])
  await expect(answer).rejects.toBeInstanceOf(UnusableAnswer)
  expect(endless.cancelled()).toBe(true)
  expect(endless.taken()).toBeLessThan(2 * 1024 * 1024)
})

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a text', 'ok'],
  ['no response', { data: [] }],
])('Workers AI, lying: %s is unusable', async (_, answer) => {
  await expect(workersAiReranker({ run: async () => answer }).rerank('q', ['x'])).rejects.toBeInstanceOf(UnusableAnswer)
})

test.each([
  [429, {}, 0],
  [429, { 'Retry-After': '17' }, 17_000],
  [503, { 'Retry-After': '17' }, 17_000],
])('HTTP /rerank, down: %d %o asks for a pause', async (status, headers, retryAfterMs) => {
  const failure = await httpAnswering(() => Response.json({}, { status, headers }))
    .rerank('q', ['x'])
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ModelDown)
  expect(failure).toMatchObject({ retryAfterMs })
})

test('HTTP /rerank: a wrong key is a failure that does not name the key', async () => {
  const reranker = httpReranker({ ...settings, key: 'sk-wrong' }, service)
  await expect(reranker.rerank('q', ['x'])).rejects.toThrow(/^the reranker answered with status 401$/)
})

test('HTTP /rerank: without a model and a key neither is sent', async () => {
  const reranker = httpReranker({ ...settings, model: null, key: null }, async (input, init) => {
    const request = new Request(input, init)
    expect(request.headers.has('authorization')).toBe(false)
    expect(await request.json()).toEqual({ query: 'q', documents: ['x'], top_n: 1 })
    return Response.json({ results: [{ index: 0, relevance_score: 0.25 }] })
  })
  expect(await reranker.rerank('q', ['x'])).toEqual([0.25])
})

const ABORTABLE: Record<string, (seen: (signal: AbortSignal | null | undefined) => void) => RerankingModel> = {
  'HTTP /rerank': (seen) =>
    httpReranker(settings, (_, init) => {
      seen(init?.signal)
      return new Promise(() => {})
    }),
  'Workers AI': (seen) =>
    workersAiReranker({
      run: (_, __, { signal }) => {
        seen(signal)
        return new Promise(() => {})
      },
    }),
}

test.each(Object.entries(ABORTABLE))('%s: a call that is given up is cancelled', async (_, made) => {
  const given = new AbortController()
  const seen = Promise.withResolvers<AbortSignal | null | undefined>()
  void made(seen.resolve).rerank('q', ['x'], given.signal)
  const signal = await seen.promise
  given.abort()
  expect(signal?.aborted).toBe(true)
})
