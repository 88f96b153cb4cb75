import { z } from 'zod'
import { MAX_TEXTS, TextRefused, toEmbedding, UnusableAnswer } from '../core/embedding.ts'
import type { EmbeddingModel } from '../core/models.ts'
import type { Embedding } from '../core/vectors.ts'
import { portions } from '../core/values/portions.ts'
import { UNKNOWN_MODEL } from './unknown-model.ts'
import { WorkersAiFailure } from './workers-ai-failure.ts'

const Reply = z.object({ data: z.array(z.array(z.number())) })

/** The part of the `AI` binding that is used. */
export interface TextEmbeddingModel {
  run(model: string, input: { text: string[] }): Promise<unknown>
}

/** Workers AI. Its errors name a code in their text or none. Only the codes of a bad input refuse the text. */
export const workersAiEmbedder = (ai: TextEmbeddingModel, model: string, dimension: number | null): EmbeddingModel => ({
  model,
  dimension,
  ...UNKNOWN_MODEL,
  async embed(texts) {
    const embeddings: Embedding[] = []
    for (const part of portions(texts, MAX_TEXTS)) {
      const data = vectorsOf(await run(ai, model, part))
      if (data.length !== part.length) throw new UnusableAnswer('the model returned a different number of vectors')
      embeddings.push(...data.map(toEmbedding))
    }
    return embeddings
  },
})

/** 3006: request too large; 5006 and 8001: the input does not fit the model's schema. */
const REFUSES_INPUT: ReadonlySet<string> = new Set(['3006', '5006', '8001'])

async function run(ai: TextEmbeddingModel, model: string, text: string[]): Promise<unknown> {
  try {
    return await ai.run(model, { text })
  } catch (error) {
    const failure = new WorkersAiFailure(error)
    if (failure.code !== undefined && REFUSES_INPUT.has(failure.code)) {
      throw new TextRefused('the model refused the input', { cause: failure })
    }
    throw failure
  }
}

function vectorsOf(answer: unknown): number[][] {
  const reply = Reply.safeParse(answer)
  if (!reply.success) throw new UnusableAnswer('the model returned no vectors', { cause: reply.error })
  return reply.data.data
}
