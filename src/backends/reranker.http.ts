import { z } from 'zod'
import { ModelDown, UnusableAnswer } from '../core/embedding.ts'
import { readBeginning } from '../core/http/read-beginning.ts'
import type { RerankingModel } from '../core/models.ts'
import { scoresInOrder } from '../core/reranking.ts'
import { systemClock } from '../core/values/clock.ts'
import { readRetryAfter } from '../core/values/retry-after.ts'

/** Settings of the service at `RERANK_URL` (docs/operations.md). */
export interface RerankSettings {
  /** Address of the endpoint itself, as in `http://localhost:8080/v1/rerank`. */
  url: string
  /** null: the service has one model and asks for no name. */
  model: string | null
  key: string | null
}

/** Some services send the texts back. Of a longer answer the beginning is read, which is no JSON. */
const MAX_ANSWER_BYTES = 1024 * 1024

const Reply = z.object({ results: z.array(z.object({ index: z.int(), relevance_score: z.number() })) })

/**
 * Any server of the common `/rerank` form: Cohere, Jina, vLLM, llama.cpp. Throws `ModelDown` on 429 and on a
 * `Retry-After`.
 */
export function httpReranker({ url, model, key }: RerankSettings, fetcher: typeof fetch): RerankingModel {
  return {
    model: model ?? 'rerank',
    async rerank(query, texts, signal) {
      const response = await fetcher(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...(key === null ? {} : { Authorization: `Bearer ${key}` }) },
        body: JSON.stringify({ ...(model === null ? {} : { model }), query, documents: texts, top_n: texts.length }),
        redirect: 'manual',
        signal: signal ?? null,
      })
      if (!response.ok) {
        await response.body?.cancel()
        throw failureOf(response)
      }
      const reply = Reply.safeParse(await json(response, signal))
      if (!reply.success) throw new UnusableAnswer('the reranker returned no scores', { cause: reply.error })
      return scoresInOrder(
        reply.data.results.map(({ index, relevance_score }) => ({ index, score: relevance_score })),
        texts.length,
      )
    },
  }
}

function failureOf({ status, headers }: Response): Error {
  const failure = `the reranker answered with status ${status}`
  const retryAfterMs = readRetryAfter(headers.get('retry-after'), systemClock())
  return status === 429 || retryAfterMs !== null ? new ModelDown(failure, retryAfterMs ?? 0) : new Error(failure)
}

async function json(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  const { text } = await readBeginning(response, MAX_ANSWER_BYTES, signal)
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
