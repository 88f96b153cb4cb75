import type { Embedder } from '../../core/models.ts'

export const MODES = ['hybrid', 'semantic', 'keyword'] as const
export type SearchMode = (typeof MODES)[number]

/** The weights of the two parts of a score; their sum is 1. */
export interface Weights {
  keyword: number
  semantic: number
}

/** Of a keyword search, and of a hybrid one without hits because the model or the vectors do not answer. */
export const KEYWORD_ONLY: Weights = { keyword: 1, semantic: 0 }

/** Spellings tell something in every language. */
const LEAST_KNOWN_SHARE = 0.25
/** With less than this share of its longer words a query is in another language. */
const KNOWN_SHARE = 0.5

/**
 * Of the absent words and made-up queries of `bench/data/inflected` 129 of 135 then find nothing; with 0.4, 109 do. No right
 * answer there has a lower cosine and no word of the query.
 */
const ALONE_FLOOR = 0.7

const isForeign = (embedder: Embedder, query: string): boolean => embedder.wordShare(query) < KNOWN_SHARE

/** The least cosine of a semantic match; null: any. */
export const floorOf = (embedder: Embedder, query: string): number | null =>
  embedder.floors && (isForeign(embedder, query) ? embedder.floors.foreign : embedder.floors.known)

/** The least semantic score of a result that no keyword found, by the parts of its text; null: any. */
export const spellingFloorOf = (embedder: Embedder, query: string) =>
  embedder.floors && isForeign(embedder, query) ? embedder.floors.spelling : null

/** The least cosine of a result that no keyword found; null: any. In hybrid search absent words find nothing. */
export const aloneFloorOf = (embedder: Embedder, { mode, query }: { mode: SearchMode; query: string }): number | null =>
  embedder.floors && mode === 'hybrid' && isForeign(embedder, query) ? ALONE_FLOOR : floorOf(embedder, query)

/**
 * The weights of a search. In hybrid search the semantic one falls with the share of the query's longer words that the
 * model knows whole: in a language that it does not speak it compares spellings.
 */
export function weightsOf(embedder: Embedder, { mode, query }: { mode: SearchMode; query: string }): Weights {
  if (mode === 'keyword') return KEYWORD_ONLY
  const known = Math.min(1, 2 * embedder.wordShare(query))
  const semantic = mode === 'semantic' ? 1 : embedder.semanticWeight * Math.max(LEAST_KNOWN_SHARE, known)
  return { keyword: 1 - semantic, semantic }
}
