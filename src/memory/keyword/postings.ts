import type { Words } from '../../core/embedding.ts'
import { dateWords } from '../occurrence.ts'
import { cut, wordsOf } from './cut.ts'

/** The terms of a text as the keyword index keeps them. */
export interface Postings {
  /** Each different term once, as `" fox·643"`, a space before it and its posting after it. The index adds project and class. */
  postings: string
  /** How many terms these are. */
  terms: number
  /** Length of the text in words: `memory_items.word_count`. */
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
 * Different words of one text that are indexed, the first ones (contract §3), and as many further terms. English has that
 * many in no text of 65,536 characters. A text of rare ideographs has four times as many, and its commit held the database
 * for 60 ms.
 */
export const MAX_INDEXED_TERMS = 16_384

/**
 * The postings of a text, and of the words of its date where it has one. Date and further terms count neither in the
 * length of the text nor in the counts of its words. Each commit makes the index with this function, and so does the
 * sweep that indexes older items again.
 */
export function postingsOf(text: string, occurredAt: number | null, vocabulary: Words): Postings {
  const { words, further, ideographs } = cut(text, vocabulary)
  const counts = counted(words)
  const dates = occurredAt === null ? [] : wordsOf(dateWords(occurredAt))
  for (const [term, count] of counted([...further, ...ideographs])) if (!counts.has(term)) counts.set(term, count)
  for (const term of dates) if (!counts.has(term)) counts.set(term, 1)
  const postings = [...counts].map(
    ([term, count]) => ` ${term}${MARK}${(words.length << COUNT_BITS) + Math.min(count, MAX_COUNT)}`,
  )
  return { postings: postings.join(''), terms: postings.length, length: words.length }
}

/** How often each term stands there, of the first `MAX_INDEXED_TERMS` different ones. */
function counted(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of terms) {
    const count = counts.get(term)
    if (count !== undefined) counts.set(term, count + 1)
    else if (counts.size < MAX_INDEXED_TERMS) counts.set(term, 1)
  }
  return counts
}
