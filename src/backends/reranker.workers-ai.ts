import { z } from 'zod'
import { UnusableAnswer } from '../core/embedding.ts'
import type { RerankingModel } from '../core/models.ts'
import { scoresInOrder } from '../core/reranking.ts'
import { WorkersAiFailure } from './workers-ai-failure.ts'

const MODEL = '@cf/baai/bge-reranker-base'

const Reply = z.object({ response: z.array(z.object({ id: z.int(), score: z.number() })) })

/** The part of the `AI` binding that is used. */
export interface RerankModel {
  run(
    model: string,
    input: { query: string; contexts: { text: string }[]; top_k: number },
    options: { signal?: AbortSignal },
  ): Promise<unknown>
}

/** Workers AI. Without `top_k` it leaves texts out of its answer. */
export const workersAiReranker = (ai: RerankModel): RerankingModel => ({
  model: MODEL,
  async rerank(query, texts, signal) {
    const contexts = texts.map((text) => ({ text }))
    const answer = await ai
      .run(MODEL, { query, contexts, top_k: texts.length }, signal ? { signal } : {})
      .catch((error: unknown) => {
        throw new WorkersAiFailure(error)
      })
    const reply = Reply.safeParse(answer)
    if (!reply.success) throw new UnusableAnswer('the reranker returned no scores', { cause: reply.error })
    return scoresInOrder(
      reply.data.response.map(({ id, score }) => ({ index: id, score })),
      texts.length,
    )
  },
})
