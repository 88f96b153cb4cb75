import { wordsOf } from '../../src/memory/keyword/cut.ts'
import { queryWords } from '../../src/memory/keyword/query-terms.ts'

/** Whether a question has no word of any of these texts, apart from words such as "the" and "is". */
export function sharesNoWord(question: string, texts: readonly string[]): boolean {
  const words = new Set(texts.flatMap(wordsOf))
  return !queryWords(question).present.some((term) => words.has(term))
}
