import { dateWords } from '../occurrence.ts'
import { tokenize } from './tokenize.ts'

/** The terms of a text as the keyword index keeps them. */
export interface Postings {
  /** Value of `memory_words.words`: each different term once, as `" fox·643"`, a space before it and its posting after it. */
  postings: string
  /** How many terms these are. */
  terms: number
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

/**
 * Different terms of one text that are indexed, the first ones (contract §3). English has that many in no text of 65,536
 * characters. A text of rare ideographs has four times as many, and its commit held the database for 60 ms.
 */
export const MAX_INDEXED_TERMS = 16_384

/**
 * The postings of a text, and of the words of its date where it has one. The date counts neither in the length of the
 * text nor in the counts of its words. A commit and a restored backup both make the index with this function.
 */
export function postingsOf(text: string, occurredAt: number | null): Postings {
  const terms = tokenize(text)
  const counts = new Map<string, { count: number }>()
  for (const term of terms) {
    const counted = counts.get(term)
    if (counted) counted.count++
    else if (counts.size < MAX_INDEXED_TERMS) counts.set(term, { count: 1 })
  }
  for (const term of occurredAt === null ? [] : tokenize(dateWords(occurredAt))) {
    if (!counts.has(term)) counts.set(term, { count: 1 })
  }
  const postings = [...counts].map(
    ([term, { count }]) => ` ${term}${MARK}${(terms.length << COUNT_BITS) + Math.min(count, MAX_COUNT)}`,
  )
  return { postings: postings.join(''), terms: postings.length, length: terms.length }
}
