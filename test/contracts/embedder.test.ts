/** @module-tag shards */
import { describe, expect, test } from 'vitest'
import { embeddedEmbedder } from '../../src/backends/embedder.embedded.ts'
import { openAiEmbedder } from '../../src/backends/embedder.openai.ts'
import { workersAiEmbedder } from '../../src/backends/embedder.workers-ai.ts'
import { FailedAnswer, ModelDown, TextRefused, UnusableAnswer } from '../../src/core/embedding.ts'
import type { EmbeddingModel } from '../../src/core/models.ts'
import { systemWith, valuesOf } from '../support/models.ts'
import { endlessResponse } from '../support/endless.ts'

const DIMENSION = embeddedEmbedder.dimension
const MODEL = 'nomic-embed-text'
const KEY = 'sk-test'

/** The vectors of a model that does not normalise them. */
const rawVectors = async (texts: string[]): Promise<number[][]> =>
  valuesOf(await embeddedEmbedder.embed(texts)).map((vector) => Array.from(vector, (value) => value * 7))

/** A server of `/v1/embeddings` as documented. It refuses everything else. */
const service: typeof fetch = async (input, init) => {
  const request = new Request(input, init)
  const refuse = (status: number) => Response.json({ error: { message: 'refused' } }, { status })
  if (request.method !== 'POST' || new URL(request.url).pathname !== '/v1/embeddings') return refuse(404)
  if (request.headers.get('authorization') !== `Bearer ${KEY}`) return refuse(401)
  if (request.headers.get('content-type') !== 'application/json') return refuse(415)
  const body = await request.json<{ model: string; input: string[] }>()
  if (body.model !== MODEL || !Array.isArray(body.input) || body.input.some((text) => text === '')) return refuse(400)
  if (body.input.includes('poison')) return refuse(422)
  if (body.input.includes('overloaded')) return refuse(529)
  const data = (await rawVectors(body.input)).map((embedding, index) => ({ object: 'embedding', index, embedding }))
  // The protocol promises no order of the list, only the index of each vector.
  return Response.json({ object: 'list', model: MODEL, data: data.reverse() })
}

/** The `AI` binding as documented: at most 100 texts a call, none empty. */
const ai = {
  async run(model: string, { text }: { text: string[] }): Promise<unknown> {
    if (model !== '@cf/baai/bge-base-en-v1.5') throw new Error('5007: No such model')
    if (text.length > 100) throw new Error('3006: Request is too large')
    if (text.includes('poison')) throw new Error("5006: Error: required properties at '/' are 'text'")
    if (text.includes('overloaded')) throw new Error('3040: Capacity temporarily exceeded')
    return { shape: [text.length, DIMENSION], data: await rawVectors(text), pooling: 'cls' }
  },
}

const settings = { url: 'http://models.test/v1/embeddings', model: MODEL, dimension: DIMENSION, key: KEY, batch: null }
const backends: Record<string, EmbeddingModel> = {
  embedded: embeddedEmbedder,
  'OpenAI-compatible': openAiEmbedder(settings, service),
  'Workers AI': workersAiEmbedder(ai, '@cf/baai/bge-base-en-v1.5', DIMENSION),
}

const cosine = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  a && b ? a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0) : NaN

describe.each(Object.entries(backends))('%s', (_, embedder) => {
  test('answers one vector of its dimension and of unit length for each text, in order', async () => {
    const texts = Array.from({ length: 100 }, (_, at) => `text number ${at} of the kettle`)
    const vectors = valuesOf(await embedder.embed(texts, 'document'))
    expect(vectors).toHaveLength(100)
    for (const vector of vectors) {
      expect(vector).toHaveLength(DIMENSION)
      expect(Math.hypot(...vector)).toBeCloseTo(1, 4)
    }
    const [alone] = valuesOf(await embedder.embed([texts[63] ?? ''], 'document'))
    expect(cosine(alone, vectors[63])).toBeCloseTo(1, 4)
  })

  test('what is alike is nearer than what is not', async () => {
    const [query] = valuesOf(await embedder.embed(['a boiling kettle'], 'query'))
    const [near, far] = valuesOf(await embedder.embed(['the kettles boil', 'taxation of shipyards'], 'document'))
    expect(cosine(query, near)).toBeGreaterThan(cosine(query, far) + 0.1)
  })

  test('the same text has the same vector', async () => {
    const [one, two] = await embedder.embed(['kettle', 'kettle'], 'document')
    expect(one).toEqual(two)
  })

  test('texts of any script and a text of its full length have vectors', async () => {
    const texts = ['北京大学', 'мама', '👍🏽', '…', 'a '.repeat(512)]
    expect(await embedder.embed(texts, 'document')).toHaveLength(texts.length)
  })

  test('names its model, and a weight in hybrid search that leaves keywords theirs', () => {
    expect(embedder.model).toMatch(/./)
    expect(embedder.semanticWeight).toBeGreaterThan(0)
    expect(embedder.semanticWeight).toBeLessThan(1)
    expect(embedder.semanticWeight).toBeGreaterThan(0)
    expect(embedder.semanticWeight).toBeLessThan(1)
  })
})

describe.each(Object.entries(backends).filter(([name]) => name !== 'embedded'))('%s, failing', (_, embedder) => {
  test('a text that it never embeds is TextRefused', async () => {
    await expect(embedder.embed(['fine', 'poison'], 'document')).rejects.toBeInstanceOf(TextRefused)
  })

  test('anything else is a failure that may be tried again', async () => {
    const failure = await embedder.embed(['overloaded'], 'document').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toBeInstanceOf(TextRefused)
  })
})

test('a wrong key is a failure that does not name the key', async () => {
  const embedder = openAiEmbedder({ ...settings, key: 'sk-wrong' }, service)
  await expect(embedder.embed(['x'], 'query')).rejects.toThrow(
    /^The embedding model openai\/[\w-]+ answered with status 401\.$/,
  )
})

test.each([
  ['too few vectors', { data: [] }],
  ['no vectors', { object: 'list' }],
])('an answer with %s is a failure', async (_, body) => {
  const embedder = openAiEmbedder(settings, async () => Response.json(body))
  await expect(embedder.embed(['x'], 'query')).rejects.toThrow(Error)
})

/** What a model answers for two texts that is not their vectors. */
const good = Array.from({ length: DIMENSION }, () => 0.5)
const LIES: [string, unknown[]][] = [
  ['one vector too few', [good]],
  ['one vector too many', [good, good, good]],
  ['no vector', []],
  ['an empty vector', [good, []]],
  ['a vector that is too short', [good, good.slice(1)]],
  ['a vector that is too long', [good, [...good, 1]]],
  ['a zero vector', [good, good.map(() => 0)]],
  ['a value that is not a number', [good, [...good.slice(1), NaN]]],
  ['an infinite value', [good, [...good.slice(1), -Infinity]]],
  ['a text for a value', [good, [...good.slice(1), '1']]],
  ['a text for a vector', [good, 'base64']],
]

/** JSON as a careless server writes it: with values that are too large for a number, and null for what is none. */
const careless = (value: unknown): Response =>
  new Response(
    JSON.stringify(value, (_, member) => (member === -Infinity ? '-1e999' : member)).replaceAll('"-1e999"', '-1e999'),
  )

const indexed = (vectors: readonly unknown[], indices = vectors.map((_, at) => at)) => ({
  data: vectors.map((embedding, at) => ({ index: indices[at], embedding })),
})

const openAiAnswering = (answer: () => Response): EmbeddingModel => openAiEmbedder(settings, async () => answer())

/** An embedder whose model answers these vectors. */
const lying: Record<string, (vectors: unknown[]) => EmbeddingModel> = {
  'OpenAI-compatible': (vectors) => openAiAnswering(() => careless(indexed(vectors))),
  'Workers AI': (vectors) => workersAiEmbedder({ run: async () => ({ data: vectors }) }, MODEL, DIMENSION),
}

const ask = (embedder: EmbeddingModel) => systemWith(embedder).embedder.embed(['one', 'two'])

describe.each(Object.entries(lying))('%s, lying', (_, answering) => {
  test('the vectors of both texts pass', async () => {
    expect(await ask(answering([good, good]))).toHaveLength(2)
  })

  test.each(LIES)('%s is unusable', async (_, vectors) => {
    await expect(ask(answering(vectors))).rejects.toBeInstanceOf(UnusableAnswer)
  })
})

test.each([
  ['repeated', [0, 0]],
  ['missing', [0, 2]],
  ['negative', [-1, 0]],
  ['counted from 1', [1, 2]],
  ['broken', [0, 0.5]],
  ['absent', []],
])('OpenAI-compatible, lying: an index that is %s makes the answer unusable', async (_, indices) => {
  await expect(ask(openAiAnswering(() => Response.json(indexed([good, good], indices))))).rejects.toBeInstanceOf(
    UnusableAnswer,
  )
})

test.each([
  ['an empty body', ''],
  ['a page', '<html>502</html>'],
  ['null', 'null'],
])('OpenAI-compatible, lying: %s is unusable', async (_, body) => {
  await expect(ask(openAiAnswering(() => new Response(body)))).rejects.toBeInstanceOf(UnusableAnswer)
})

test('security 37: of an answer of the embedding service that never ends, a bounded part is read', async () => {
  const endless = endlessResponse()
  await expect(ask(openAiAnswering(() => endless.response))).rejects.toBeInstanceOf(UnusableAnswer)
  expect(endless.cancelled()).toBe(true)
  expect(endless.taken()).toBeLessThan(17 * 1024 * 1024)
})

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a text', 'ok'],
  ['no data', { shape: [2, DIMENSION] }],
])('Workers AI, lying: %s is unusable', async (_, answer) => {
  const embedder = workersAiEmbedder({ run: async () => answer }, MODEL, DIMENSION)
  await expect(ask(embedder)).rejects.toBeInstanceOf(UnusableAnswer)
})

describe('OpenAI-compatible, down', () => {
  const MODEL_AT_URL = `openai/${settings.model}`
  const answering = (status: number, headers: Record<string, string> = {}) =>
    ask(openAiAnswering(() => Response.json({ error: 'x' }, { status, headers }))).catch((error: unknown) => error)

  test.each([
    [429, { 'Retry-After': '17' }, 17_000],
    [503, { 'Retry-After': '17' }, 17_000],
    [429, {}, 0],
    [429, { 'Retry-After': 'soon' }, 0],
  ])('%d %o asks for a pause', async (status, headers, retryAfterMs) => {
    const failure = await answering(status, headers)
    expect(failure).toBeInstanceOf(ModelDown)
    expect(failure).toMatchObject({ retryAfterMs, cause: new FailedAnswer(MODEL_AT_URL, status) })
  })

  test.each([400, 413, 422])('%d refuses a text, whatever Retry-After says', async (status) => {
    const failure = await answering(status, { 'Retry-After': '17' })
    expect(failure).toBeInstanceOf(TextRefused)
    expect(failure).toMatchObject({ cause: new FailedAnswer(MODEL_AT_URL, status) })
  })

  test.each([401, 404, 500, 502, 503])('%d is a failure that may be tried again', async (status) => {
    const failure = await answering(status)
    expect(failure).toEqual(new FailedAnswer(MODEL_AT_URL, status))
  })

  test('an answer that is given up is cancelled', async () => {
    const given = new AbortController()
    const seen = Promise.withResolvers<AbortSignal | null | undefined>()
    const embedder = openAiEmbedder(settings, (_, init) => {
      seen.resolve(init?.signal)
      return new Promise(() => {})
    })
    void embedder.embed(['x'], 'query', given.signal)
    const signal = await seen.promise
    given.abort()
    expect(signal?.aborted).toBe(true)
  })
})
