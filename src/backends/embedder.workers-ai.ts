import { z } from 'zod'
import { TextRefused, unit, UnusableAnswer } from '../core/embedding.ts'
import type { Embedder } from '../core/ports.ts'

/** Texts of one call (architecture §9). */
const MAX_TEXTS = 100

const Reply = z.object({ data: z.array(z.array(z.number())) })

/** The part of the `AI` binding that is used. */
export interface TextEmbeddingModel {
  run(model: string, input: { text: string[] }): Promise<unknown>
}

/** Workers AI. Its errors name a code in their text or none. Only the codes of a bad input refuse the text. */
export const workersAiEmbedder = (ai: TextEmbeddingModel, model: string, dimension: number): Embedder => ({
  model,
  dimension,
  // Models read more, but one vector of a long text represents it less well.
  maxTokens: 512,
  fusionWeight: 1,
  async embed(texts) {
    const vectors: Float32Array[] = []
    for (let at = 0; at < texts.length; at += MAX_TEXTS) {
      const part = texts.slice(at, at + MAX_TEXTS)
      const data = vectorsOf(await run(ai, model, part))
      if (data.length !== part.length) throw new UnusableAnswer('the model answered another number of vectors')
      vectors.push(...data.map(unit))
    }
    return vectors
  },
})

async function run(ai: TextEmbeddingModel, model: string, text: string[]): Promise<unknown> {
  try {
    return await ai.run(model, { text })
  } catch (error) {
    // 3006: request too large; 5006 and 8001: the input does not fit the model's schema.
    if (error instanceof Error && /\b(?:3006|5006|8001)\b/.test(error.message)) {
      throw new TextRefused('the model refused the input', { cause: error })
    }
    throw error
  }
}

function vectorsOf(answer: unknown): number[][] {
  const reply = Reply.safeParse(answer)
  if (!reply.success) throw new UnusableAnswer('the model answered no vectors', { cause: reply.error })
  return reply.data.data
}
