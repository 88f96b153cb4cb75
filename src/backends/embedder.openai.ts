import { z } from 'zod'
import { TextRefused, unit, UnusableAnswer } from '../core/embedding.ts'
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
      return vectorsOf(await response.text(), texts.length)
    },
  }
}

/** The vectors in the order of the texts. The protocol promises no order of the list, only the index of each vector. */
function vectorsOf(body: string, count: number): Float32Array[] {
  const reply = Reply.safeParse(parsed(body))
  if (!reply.success) throw new UnusableAnswer('the embedding service answered no vectors', { cause: reply.error })
  const ordered = reply.data.data.sort((a, b) => a.index - b.index)
  if (ordered.length !== count || ordered.some(({ index }, at) => index !== at))
    throw new UnusableAnswer('the embedding service answered vectors of other indices')
  return ordered.map(({ embedding }) => unit(embedding))
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
