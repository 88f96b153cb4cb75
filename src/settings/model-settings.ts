import { MAX_TEXTS } from '../core/embedding.ts'
import { bearerKey, httpUrl, modelName, oneOf, wholeNumber } from './parsers.ts'
import { setting } from './setting.ts'

/** More than any model that is known. */
const MAX_DIMENSION = 16_384

/** The settings of the models that embed and rerank. */
export const MODEL_SETTINGS = {
  EMBEDDER: setting({
    parse: oneOf(['embedded', 'workers-ai', 'url']),
    absent: null,
    ifFaulty: 'embedded',
    default: 'what is configured',
    description: '`embedded`, `workers-ai` or `url` ([embeddings](embeddings.md)).',
  }),
  WORKERS_AI_MODEL: setting({
    parse: modelName,
    absent: null,
    oldName: 'EMBEDDING_MODEL',
    default: '`@cf/baai/bge-m3`',
    description: 'The [model](https://developers.cloudflare.com/workers-ai/models/) that embeds.',
  }),
  WORKERS_AI_DIMENSION: setting({
    parse: wholeNumber(1, MAX_DIMENSION),
    absent: null,
    oldName: 'EMBEDDING_DIMENSION',
    default: '1024<!-- wrangler.toml#WORKERS_AI_DIMENSION -->',
    description: 'The dimension of its vectors, and of the index.',
  }),
  EMBEDDINGS_URL: setting({
    parse: httpUrl,
    absent: null,
    // As long as somebody means a service there, no other model may take its place.
    ifFaulty: '',
    default: 'none',
    description: 'An OpenAI-compatible `/v1/embeddings` to use instead.',
  }),
  EMBEDDINGS_MODEL: setting({
    parse: modelName,
    absent: null,
    default: '`nomic-embed-text`',
    description: 'Its model.',
  }),
  EMBEDDINGS_DIMENSION: setting({
    parse: wholeNumber(1, MAX_DIMENSION),
    absent: null,
    default: 'as the model returns',
    description: 'The dimension of its vectors ([embeddings](embeddings.md)).',
  }),
  EMBEDDINGS_BATCH: setting({
    parse: wholeNumber(1, MAX_TEXTS),
    absent: null,
    default: '100<!-- MAX_TEXTS -->',
    description: 'Texts per call.',
  }),
  EMBEDDINGS_KEY: setting({
    kind: 'secret',
    parse: bearerKey,
    absent: null,
    default: 'none',
    description: 'Sent to `EMBEDDINGS_URL` as a bearer token.',
  }),
  RERANK_URL: setting({
    parse: httpUrl,
    absent: null,
    ifFaulty: '',
    default: 'Workers AI',
    description: 'A `/rerank` service that reranks the results of a search.',
  }),
  RERANK_MODEL: setting({
    parse: modelName,
    absent: null,
    default: 'none',
    description: 'Its model, if it needs a name.',
  }),
  RERANK_KEY: setting({
    kind: 'secret',
    parse: bearerKey,
    absent: null,
    default: 'none',
    description: 'Sent to `RERANK_URL` as a bearer token.',
  }),
} as const
