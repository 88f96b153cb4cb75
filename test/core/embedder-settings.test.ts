import { describe, expect, test } from 'vitest'
import { embedderSettings } from '../../src/core/embedder-settings.ts'

const URL_ = 'http://localhost:11434/v1/embeddings'
const settings = (vars: Record<string, string>, hasWorkersAi = false) =>
  embedderSettings((name) => vars[name], hasWorkersAi)
const embedded = { kind: 'embedded' }
const bge = { kind: 'workers-ai', model: '@cf/baai/bge-m3', dimension: 1_024 }
const nomic = { kind: 'url', url: URL_, model: 'nomic-embed-text', dimension: null, key: null, batch: null }

describe('without EMBEDDER what is configured counts', () => {
  test.each([
    ['nothing', {}, false, embedded],
    ['Workers AI', {}, true, bge],
    ['a URL', { EMBEDDINGS_URL: URL_ }, false, nomic],
    ['a URL beside Workers AI', { EMBEDDINGS_URL: URL_ }, true, nomic],
  ])('%s', (_, vars, hasWorkersAi, choice) => {
    expect(settings(vars, hasWorkersAi)).toEqual({ choice, faults: [] })
  })
})

test('EMBEDDER chooses among them', () => {
  expect(settings({ EMBEDDER: 'embedded', EMBEDDINGS_URL: URL_ }, true).choice).toEqual(embedded)
  expect(settings({ EMBEDDER: 'workers-ai', EMBEDDINGS_URL: URL_ }, true).choice).toEqual(bge)
  expect(settings({ EMBEDDER: 'url', EMBEDDINGS_URL: URL_ }, true).choice).toEqual(nomic)
})

test('model, dimension and key of each; the dimension of a model that nobody stated is not known', () => {
  const url = { EMBEDDINGS_URL: URL_, EMBEDDINGS_MODEL: 'minilm', EMBEDDINGS_DIMENSION: '384', EMBEDDINGS_KEY: 'sk' }
  expect(settings(url).choice).toEqual({ ...nomic, model: 'minilm', dimension: 384, key: 'sk' })
  const small = { WORKERS_AI_MODEL: '@cf/baai/bge-small-en-v1.5' }
  expect(settings(small, true).choice).toEqual({ ...bge, model: '@cf/baai/bge-small-en-v1.5', dimension: null })
  expect(settings({ ...small, WORKERS_AI_DIMENSION: '384' }, true).choice).toMatchObject({ dimension: 384 })
})

test('the old names of the Workers AI model work, and the new ones come first', () => {
  const old = { EMBEDDING_MODEL: 'old', EMBEDDING_DIMENSION: '768' }
  expect(settings(old, true).choice).toMatchObject({ model: 'old', dimension: 768 })
  const both = { ...old, WORKERS_AI_MODEL: 'new', WORKERS_AI_DIMENSION: '384' }
  expect(settings(both, true).choice).toMatchObject({ model: 'new', dimension: 384 })
})

test.each([
  [{ EMBEDDER: 'openai' }, 'EMBEDDER is "openai", which is not one of embedded, workers-ai, url'],
  [{ EMBEDDER: 'url' }, 'EMBEDDER is "url", but EMBEDDINGS_URL is missing'],
  [{ EMBEDDER: 'workers-ai' }, 'EMBEDDER is "workers-ai", but there is no AI binding'],
  [{ EMBEDDINGS_URL: 'localhost:11434' }, 'EMBEDDINGS_URL is "localhost:11434", which is not an http or https URL'],
  [{ EMBEDDINGS_URL: 'embeddings' }, 'EMBEDDINGS_URL is "embeddings", which is not an http or https URL'],
])('%j is a fault, and the embedded model stands in', (vars, fault) => {
  expect(settings(vars)).toEqual({ choice: embedded, faults: [fault] })
})

test('EMBEDDINGS_BATCH is a whole number from 1 to 100; anything else is a fault and has no effect', () => {
  expect(settings({ EMBEDDINGS_URL: URL_, EMBEDDINGS_BATCH: '32' })).toEqual({
    choice: { ...nomic, batch: 32 },
    faults: [],
  })
  for (const text of ['0', '101', '3.2', 'many', ''])
    expect(settings({ EMBEDDINGS_URL: URL_, EMBEDDINGS_BATCH: text })).toEqual({
      choice: nomic,
      faults: [`EMBEDDINGS_BATCH is ${JSON.stringify(text)}, which is not a whole number from 1 to 100`],
    })
})

test.each(['0', '-1', '384.5', '3e2', ' 384', 'many', '99999'])(
  'a dimension of "%s" is a fault and is not known',
  (text) => {
    const { choice, faults } = settings({ EMBEDDINGS_URL: URL_, EMBEDDINGS_DIMENSION: text })
    expect(choice).toEqual(nomic)
    expect(faults).toEqual([expect.stringContaining(`EMBEDDINGS_DIMENSION is ${JSON.stringify(text)}`)])
  },
)
