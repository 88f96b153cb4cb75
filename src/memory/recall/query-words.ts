import type { Vocabulary } from '../../core/embedding.ts'
import { cut } from '../keyword/cut.ts'
import type { Frequencies } from '../search/keyword-sql.ts'
import { isAskedWord } from './function-words.ts'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Pairs of syllables say little: `もっと` shares one with `しっとり`. */
const KANA = /^[\u3041-\u309F\u30A0-\u30FF]+$/u

/** A content word of a query: the places of the terms that find it, among those that the search asks for. */
export type QueryWord = readonly number[]

/** `terms`: those of the query, as `queryTerms` gives them. */
export function queryWordsOf(
  query: string,
  terms: readonly string[],
  vocabulary: Pick<Vocabulary, 'common'>,
): QueryWord[] {
  const found = new Map<string, QueryWord>()
  for (const { segment, isWordLike } of segmenter.segment(query)) {
    if (!isWordLike) continue
    const { words, further } = cut(segment, vocabulary.common)
    if (!words.some(isAskedWord)) continue
    const places = (KANA.test(segment) ? words : [...words, ...further])
      .map((term) => terms.indexOf(term))
      .filter((place) => place >= 0)
    if (places.length > 0) found.set(words.join(' '), places)
  }
  return [...found.values()]
}

/** What a text has of the content words of a query. */
export interface Shared {
  words: number
  /** The share of the weight of all of them. A rare word weighs more. */
  share: number
}

/** `hasTerms`: as a row of the search tells it. */
export function sharedWith(words: readonly QueryWord[], hasTerms: string | null, known: Frequencies | null): Shared {
  if (hasTerms === null || !known) return { words: 0, share: 0 }
  const bits = BigInt(hasTerms)
  const has = (place: number): boolean => ((bits >> BigInt(place)) & 1n) === 1n
  const shared = words.filter((places) => places.some(has))
  const weight = (all: readonly QueryWord[]): number => all.reduce((sum, places) => sum + weightOf(places, known), 0)
  return { words: shared.length, share: shared.length === 0 ? 0 : weight(shared) / weight(words) }
}

/** Fewer items do not tell which words are rare: a project counts as if it had this many. */
const MIN_COUNTED = 100

/** The idf of the rarest of its terms that any item has; the greatest one where none has. */
function weightOf(places: QueryWord, { items, terms }: Frequencies): number {
  const found = places.map((place) => terms[place] ?? 0).filter((count) => count > 0)
  const rarest = found.length === 0 ? 0 : Math.min(...found)
  return Math.log(1 + (Math.max(items, rarest, MIN_COUNTED) - rarest + 0.5) / (rarest + 0.5))
}
