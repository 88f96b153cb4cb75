import { expect, test } from 'vitest'
import { noticesOf } from '../../src/settings/index.ts'

test('an old name is told with its new one', () => {
  expect(noticesOf(['EMBEDDING_MODEL', 'WORKERS_AI_MODEL'])).toEqual([
    'EMBEDDING_MODEL is now called WORKERS_AI_MODEL; the old name still works',
  ])
})

test.each([
  ['EMBEDDING_URL', 'EMBEDDINGS_URL'],
  ['EMBEDDINGS_DIMENSIONS', 'EMBEDDINGS_DIMENSION'],
  ['EMBEDINGS_KEY', 'EMBEDDINGS_KEY'],
  ['EMBEDER', 'EMBEDDER'],
  ['WORKER_AI_MODEL', 'WORKERS_AI_MODEL'],
  ['QUOTA_ITEM', 'QUOTA_ITEMS'],
  ['RERANKER_URL', 'RERANK_URL'],
  ['RERANK_MODELL', 'RERANK_MODEL'],
  ['RERANKS_KEY', 'RERANK_KEY'],
])('%s is told to look like %s', (name, meant) => {
  expect(noticesOf([name])).toEqual([`${name} is not a variable of the service. Did you mean ${meant}?`])
})

test('known names, and names that are like none, are no news', () => {
  expect(noticesOf(['EMBEDDINGS_URL', 'TOKEN_KEYS', 'LIMITS_FACTOR', 'CLOUDFLARE_ACCOUNT', 'FOO', ''])).toEqual([])
})
