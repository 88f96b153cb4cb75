import { z } from 'zod'
import { FailedAnswer, ModelDown, TextRefused, toEmbedding, UnusableAnswer } from '../core/embedding.ts'
import { readBeginning } from '../core/http/read-beginning.ts'
import type { EmbeddingModel } from '../core/models.ts'
import type { Embedding } from '../core/vectors.ts'
import { systemClock } from '../core/values/clock.ts'
import { readRetryAfter } from '../core/values/retry-after.ts'
import { UNKNOWN_MODEL } from './unknown-model.ts'

/** Settings of the service at `EMBEDDINGS_URL` (docs/operations.md). */
export interface OpenAiSettings {
  /** Address of the endpoint itself, as in `http://localhost:11434/v1/embeddings`. */
  url: string
  model: string
  dimension: number | null
  key: string | null
  /** Texts that the service takes in one call; null: nobody said it. */
  batch: number | null
}

/** A hundred vectors of 4,096 values of 20 characters are 8 MB. Of a longer answer the beginning is read, which is no JSON. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024

const Reply = z.object({ data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()) })) })

/**
 * Any OpenAI-compatible `/v1/embeddings`: Ollama, TEI, vLLM. Throws `TextRefused` on 400, 413 and 422, `ModelDown` on 429 and
 * on a `Retry-After`, and `FailedAnswer` on any other status.
 */
export function openAiEmbedder(
  { url, model, dimension, key, batch }: OpenAiSettings,
  fetcher: typeof fetch,
): EmbeddingModel {
  return {
    model: `openai/${model}`,
    dimension,
    ...UNKNOWN_MODEL,
    ...(batch === null ? {} : { maxTexts: batch }),
    async embed(texts, _, signal) {
      const response = await fetcher(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...(key === null ? {} : { Authorization: `Bearer ${key}` }) },
        body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
        redirect: 'manual',
        signal: signal ?? null,
      })
      if (!response.ok) {
        await response.body?.cancel()
        throw failureOf(`openai/${model}`, response)
      }
      const { text } = await readBeginning(response, MAX_ANSWER_BYTES, signal)
      return embeddingsOf(text, texts.length)
    },
  }
}

function failureOf(model: string, { status, headers }: Response): Error {
  const cause = new FailedAnswer(model, status)
  if ([400, 413, 422].includes(status)) return new TextRefused('the model refused the input', { cause })
  const retryAfterMs = readRetryAfter(headers.get('retry-after'), systemClock())
  return status === 429 || retryAfterMs !== null
    ? new ModelDown('the model asked for a pause', retryAfterMs ?? 0, { cause })
    : cause
}

/** The embeddings in the order of the texts. The protocol promises no order of the list, only the index of each vector. */
function embeddingsOf(body: string, count: number): Embedding[] {
  const reply = Reply.safeParse(parsed(body))
  if (!reply.success) throw new UnusableAnswer('the embedding service returned no vectors', { cause: reply.error })
  const ordered = reply.data.data.sort((a, b) => a.index - b.index)
  if (ordered.length !== count || ordered.some(({ index }, at) => index !== at))
    throw new UnusableAnswer('the embedding service returned vectors with other indices')
  return ordered.map(({ embedding }) => toEmbedding(embedding))
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
