import type { Vocabulary } from '../../core/embedding.ts'
import { STOP_WORD_LIST } from '../../core/values/stop-words.ts'
import { cut, wordsOf } from './cut.ts'
import { earlierTerms } from './earlier-cut.ts'

/** The terms that a search asks for, in each form of the index. */
export interface QueryTerms {
  /** In the present form: the words, and behind them the further terms. */
  present: readonly string[]
  /** In the earlier form, for items that are not indexed in the present one. */
  earlier: () => readonly string[]
}

const MAX_QUERY_TERMS = 64

/**
 * The distinct terms of a query, without stop words. A query of stop words alone keeps them. A name such as `Helsinki` may
 * be in the vocabulary and yet be inflected in a text, so only common English words of a query have no inflections.
 */
export function queryTerms(query: string, vocabulary: Pick<Vocabulary, 'common'>): QueryTerms {
  const { words, further } = cut(query, vocabulary.common)
  return {
    present: atMost([...selective(words), ...further.filter((term) => !STOP_WORDS.has(term))]),
    earlier: () => atMost(selective(earlierTerms(query))),
  }
}

/** The words of a query, for a list of the items that have all of them. */
export const queryWords = (query: string): QueryTerms => ({
  present: atMost(selective(wordsOf(query))),
  earlier: () => atMost(selective(earlierTerms(query))),
})

const atMost = (terms: readonly string[]): string[] => [...new Set(terms)].slice(0, MAX_QUERY_TERMS)

function selective(words: readonly string[]): readonly string[] {
  const found = words.filter((word) => !STOP_WORDS.has(word))
  return found.length > 0 ? found : words
}

/** Stems of the stop words. */
export const STOP_WORDS: ReadonlySet<string> = new Set(wordsOf(STOP_WORD_LIST))
