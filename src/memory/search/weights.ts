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

/**
 * The weights of a search. In hybrid search the semantic one falls with the share of the query's longer words that the
 * model knows whole: in a language that it does not speak it compares spellings. At 0 the search is one by keyword.
 */
export function weightsOf(embedder: Embedder, { mode, query }: { mode: SearchMode; query: string }): Weights {
  if (mode === 'keyword') return KEYWORD_ONLY
  const semantic = mode === 'semantic' ? 1 : embedder.semanticWeight * Math.min(1, 2 * embedder.wordShare(query))
  return { keyword: 1 - semantic, semantic }
}
