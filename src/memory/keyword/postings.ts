import { tokens } from './tokenize.ts'

/** What the word index keeps of a text: `words` is its column, `count` goes to `memory_items.word_count`. */
export interface IndexedWords {
  /** Each different word once, with one space before it, marked with how often it comes: `" fox·643"`. */
  words: string
  count: number
}

/**
 * Ends a word in the index; what follows says how often the word stands in the text and how long the text is, which
 * is all that BM25 asks, so that ranking reads nothing but the index. Not ASCII, so that FTS5 keeps it in the word.
 */
export const MARK = '·'
export const COUNT_BITS = 6
export const MAX_COUNT = 2 ** COUNT_BITS - 1

export function indexedWords(text: string): IndexedWords {
  const found = tokens(text)
  const counts = new Map<string, number>()
  for (const token of found) counts.set(token, (counts.get(token) ?? 0) + 1)
  const words = [...counts].map(
    ([token, count]) => ` ${token}${MARK}${(found.length << COUNT_BITS) + Math.min(count, MAX_COUNT)}`,
  )
  return { words: words.join(''), count: found.length }
}
