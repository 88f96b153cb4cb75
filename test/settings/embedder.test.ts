import { describe, expect, test } from 'vitest'
import { embedderChoice, readSettings } from '../../src/settings/index.ts'

const URL_ = 'http://localhost:11434/v1/embeddings'
const chosen = (vars: Record<string, string>, hasWorkersAi = false) =>
  embedderChoice(readSettings('Worker', vars).values, hasWorkersAi)
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
    expect(chosen(vars, hasWorkersAi)).toEqual({ choice, faults: [] })
  })
})

test('EMBEDDER chooses among them', () => {
  expect(chosen({ EMBEDDER: 'embedded', EMBEDDINGS_URL: URL_ }, true).choice).toEqual(embedded)
  expect(chosen({ EMBEDDER: 'workers-ai', EMBEDDINGS_URL: URL_ }, true).choice).toEqual(bge)
  expect(chosen({ EMBEDDER: 'url', EMBEDDINGS_URL: URL_ }, true).choice).toEqual(nomic)
})

test('model, dimension and key of each; the dimension of a model that nobody stated is not known', () => {
  const url = { EMBEDDINGS_URL: URL_, EMBEDDINGS_MODEL: 'minilm', EMBEDDINGS_DIMENSION: '384', EMBEDDINGS_KEY: 'sk' }
  const more = { ...url, EMBEDDINGS_BATCH: '32' }
  expect(chosen(more).choice).toEqual({ ...nomic, model: 'minilm', dimension: 384, key: 'sk', batch: 32 })
  const small = { WORKERS_AI_MODEL: '@cf/baai/bge-small-en-v1.5' }
  expect(chosen(small, true).choice).toEqual({ ...bge, model: '@cf/baai/bge-small-en-v1.5', dimension: null })
  expect(chosen({ ...small, WORKERS_AI_DIMENSION: '384' }, true).choice).toMatchObject({ dimension: 384 })
})

test('a dimension that is none is not known', () => {
  expect(chosen({ EMBEDDINGS_URL: URL_, EMBEDDINGS_DIMENSION: 'many' }).choice).toEqual(nomic)
})

test.each([
  [{ EMBEDDER: 'openai' }, []],
  [{ EMBEDDINGS_URL: 'localhost:11434' }, []],
  [{ EMBEDDER: 'url' }, ['EMBEDDER is url, but EMBEDDINGS_URL is missing']],
])('with %j the embedded model stands in, also where Workers AI is bound', (vars, faults) => {
  for (const hasWorkersAi of [false, true]) expect(chosen(vars, hasWorkersAi)).toEqual({ choice: embedded, faults })
})

test('the embedded model stands in for Workers AI that is not bound', () => {
  expect(chosen({ EMBEDDER: 'workers-ai' })).toEqual({
    choice: embedded,
    faults: ['EMBEDDER is workers-ai, but there is no AI binding'],
  })
})
