import { tokenize } from './tokenize.ts'

/** What the keyword index keeps of a text. */
export interface Postings {
  /** Value of `memory_words.words`: each different term once, as `" fox·643"`, a space before it and its posting after it. */
  postings: string
  /** Length of the text in terms: `memory_items.word_count`. */
  length: number
}

/**
 * Ends a term in the index. The number after it is the posting: how often the term stands in the text, and the length
 * of the text. BM25 asks for no more, so ranking reads the index alone. FTS5 keeps the mark in the term, as it is not ASCII.
 */
export const MARK = '·'
export const COUNT_BITS = 6
export const MAX_COUNT = 2 ** COUNT_BITS - 1

export function postingsOf(text: string): Postings {
  const terms = tokenize(text)
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  const postings = [...counts].map(
    ([term, count]) => ` ${term}${MARK}${(terms.length << COUNT_BITS) + Math.min(count, MAX_COUNT)}`,
  )
  return { postings: postings.join(''), length: terms.length }
}
