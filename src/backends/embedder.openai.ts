import { z } from 'zod'
import { TextRefused } from '../core/embedding.ts'
import type { Embedder } from '../core/ports.ts'

/** Settings of the service at `EMBEDDINGS_URL` (docs/operations.md). */
export interface OpenAiSettings {
  /** Address of the endpoint itself, as in `http://localhost:11434/v1/embeddings`. */
  url: string
  model: string
  dimension: number
  key: string | null
}

const DEADLINE_MS = 30_000
/** A real model finds texts that share no word with the query, so its ranks weigh as much as keyword ranks. */
const FUSION_WEIGHT = 1

const Reply = z.object({ data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()) })) })

/** Any OpenAI-compatible `/v1/embeddings`: Ollama, TEI, vLLM. Throws `TextRefused` on 400, 413 and 422. */
export function openAiEmbedder({ url, model, dimension, key }: OpenAiSettings, fetcher: typeof fetch): Embedder {
  return {
    model: `openai/${model}`,
    dimension,
    maxTokens: 512,
    fusionWeight: FUSION_WEIGHT,
    async embed(texts) {
      const response = await fetcher(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...(key === null ? {} : { Authorization: `Bearer ${key}` }) },
        body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
        redirect: 'manual',
        signal: AbortSignal.timeout(DEADLINE_MS),
      })
      if (!response.ok) {
        await response.body?.cancel()
        const failure = `the embedding service answered ${response.status}`
        throw [400, 413, 422].includes(response.status) ? new TextRefused(failure) : new Error(failure)
      }
      const { data } = Reply.parse(await response.json())
      const ordered = data.sort((a, b) => a.index - b.index).map(({ embedding }) => unit(embedding))
      if (ordered.length !== texts.length) throw new Error('the embedding service answered another number of vectors')
      return ordered
    },
  }
}

/** Scales a vector to length 1, as the port promises. Not every model does so itself. */
export function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values) || 1
  return Float32Array.from(values, (value) => value / length)
}
