import { expect, test } from 'vitest'
import { blueprintOf, sourceOf } from '../../tools/blueprint.ts'

const dimensionWith = (vars: Record<string, string>): number => {
  const source = sourceOf('wrangler.toml', false)
  return blueprintOf({ ...source, vars: { ...source.vars, ...vars } }).index.dimensions
}

const EMBEDDINGS_URL = 'https://models.example.com/v1/embeddings'

test.each([
  ['bge-m3, where nothing is named', {}, 1_024],
  ['the embedded model', { EMBEDDER: 'embedded' }, 256],
  ['another model of Workers AI', { WORKERS_AI_MODEL: '@cf/baai/bge-base-en-v1.5', WORKERS_AI_DIMENSION: '768' }, 768],
  ['a service', { EMBEDDINGS_URL, EMBEDDINGS_MODEL: 'all-minilm', EMBEDDINGS_DIMENSION: '384' }, 384],
])('the vector index has the dimension of %s', (_, vars, dimension) => {
  expect(dimensionWith(vars)).toBe(dimension)
})

test.each([
  ['EMBEDDINGS_DIMENSION', { EMBEDDINGS_URL, EMBEDDINGS_MODEL: 'all-minilm' }],
  ['WORKERS_AI_DIMENSION', { WORKERS_AI_MODEL: '@cf/baai/bge-base-en-v1.5', WORKERS_AI_DIMENSION: '' }],
])('a deployment stops without %s, since an index has its dimension for life', (name, vars) => {
  expect(() => dimensionWith(vars)).toThrow(`${name} is missing`)
})

test('a choice that makes no sense stops a deployment', () => {
  expect(() => dimensionWith({ EMBEDDER: 'url' })).toThrow('EMBEDDINGS_URL is missing')
})
