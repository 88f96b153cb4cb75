import type { System } from '../../core/context.ts'
import { checkVectors } from '../../core/embedding.ts'
import type { Embedder } from '../../core/ports.ts'

/**
 * Asks the model for the vectors of texts: the only caller of `Embedder.embed`. Nothing of an answer that is not exactly
 * one vector of the model's dimension for each text is kept or cached. Throws what the embedder throws, or `UnusableAnswer`.
 */
export async function callModel(
  { embedder }: Pick<System, 'embedder'>,
  texts: string[],
  purpose: Parameters<Embedder['embed']>[1],
): Promise<Float32Array[]> {
  const vectors = await embedder.embed(texts, purpose)
  checkVectors(vectors, texts.length, embedder.dimension)
  return vectors
}
