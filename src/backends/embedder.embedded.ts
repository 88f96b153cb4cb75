import { EMBEDDED_DIMENSION } from './embedded/dimension.ts'
import { MAX_TEXTS } from '../core/embedding.ts'
import type { EmbeddingModel } from '../core/models.ts'
import type { CutChunk, Embedding } from '../core/vectors.ts'
import { pieceChunks } from './embedded/piece-chunks.ts'
import { pieceTable } from './embedded/piece-table.ts'
import { tellingPieces } from './embedded/telling-pieces.ts'
import { isOnePiece, wordPieces } from './embedded/word-pieces.ts'

/** A run of letters with their marks. */
const WORDS = /\p{L}[\p{L}\p{M}]*/gu
/** Nearly all shorter words of every language are one piece. */
const TELLING_LETTERS = 4

/** The model that ships with the service: a table of word pieces, without a call (docs/embeddings.md). */
export const embeddedEmbedder = {
  model: 'embedded/recollect-static-en-v1',
  dimension: EMBEDDED_DIMENSION,
  semanticWeight: 0.5,
  scoring: 'pieces',
  floors: { known: 0.2, foreign: 0.4, spelling: { least: 0.35, growth: 0.015 } },
  remote: false,
  maxTexts: MAX_TEXTS,
  wordShare,
  chunks: pieceChunks,
  async embed(texts: string[], purpose?: string, _signal?: AbortSignal, known: readonly CutChunk['pieces'][] = []) {
    const table = await pieceTable()
    // One buffer, as one for each vector takes longer than the vector.
    const all = new Float32Array(texts.length * EMBEDDED_DIMENSION)
    return texts.map((text, nth): Embedding | null => {
      const pieces = known[nth] ?? new Uint16Array(wordPieces(text))
      const values = table.vectorOf(pieces, all.subarray(nth * EMBEDDED_DIMENSION, (nth + 1) * EMBEDDED_DIMENSION))
      return values && { values, pieces: purpose === 'query' ? tellingPieces(pieces) : pieces }
    })
  },
} satisfies EmbeddingModel

/**
 * The share of the words of four letters or more, or of all words where none has four, that are one piece. The model is
 * of English words: in another language it compares spellings. 0 for a query without a word.
 */
function wordShare(query: string): number {
  const words = query.match(WORDS) ?? []
  const long = words.filter((word) => word.length >= TELLING_LETTERS)
  const telling = long.length > 0 ? long : words
  return telling.filter(isOnePiece).length / (telling.length || 1)
}
