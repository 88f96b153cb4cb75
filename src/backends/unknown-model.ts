import { MAX_TEXTS } from '../core/embedding.ts'
import type { EmbeddingModel } from '../core/models.ts'
import { sentenceChunks } from './sentence-chunks.ts'

/** Models read more, but one vector of a long text represents it less well. */
const MAX_TOKENS = 512

/** The settings for a model that somebody else runs: its tokenizer and the scale of its cosines are unknown. */
export const UNKNOWN_MODEL = {
  semanticWeight: 0.3,
  scoring: 'relative',
  floors: null,
  remote: true,
  maxTexts: MAX_TEXTS,
  wordShare: () => 1,
  chunks: (text) => sentenceChunks(text, MAX_TOKENS),
} satisfies Partial<EmbeddingModel>
