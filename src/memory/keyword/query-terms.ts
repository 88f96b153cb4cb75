import type { Vocabulary } from '../../core/embedding.ts'
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

/** Stems of English words that nearly every text contains. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  wordsOf(`a about above after again against all am an and any are as at be because been before being below between
    both but by can could did do does doing down during each few for from further had has have having he her here hers
    herself him himself his how i if in into is it its itself just me more most my myself no nor not now of off on once
    only or other our ours ourselves out over own same she should so some such than that the their theirs them
    themselves then there these they this those through to too under until up us very was we were what when where which
    while who whom why will with would you your yours yourself yourselves`),
)
