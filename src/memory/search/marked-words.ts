import type { Vocabulary } from '../../core/embedding.ts'
import { cut } from '../keyword/cut.ts'
import { queryTerms } from '../keyword/query-terms.ts'

/** A piece of a text. */
export interface Piece {
  text: string
  /** It is a word of the query, in any form that the keyword index takes for the same. */
  isAsked: boolean
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/**
 * A text in pieces, with the words of the query apart. A word that only begins like one of the query is marked where the text
 * has no form of that word itself.
 */
export function markedWords(text: string, query: string, { common }: Pick<Vocabulary, 'common'>): Piece[] {
  const asked = new Set(queryTerms(query, { common }).present)
  const segments = Array.from(segmenter.segment(text), ({ segment }) => ({ segment, ...cut(segment, common) }))
  const inText = new Set(segments.flatMap(({ words }) => words))
  // The terms of those words of the query that the text has.
  const found = new Set(
    Array.from(segmenter.segment(query), ({ segment }) => cut(segment, common))
      .filter(({ words }) => words.some((word) => inText.has(word)))
      .flatMap(({ words, further }) => [...words, ...further]),
  )
  const pieces: Piece[] = []
  for (const { segment, words, further } of segments) {
    const isAsked = words.some((term) => asked.has(term)) || further.some((term) => asked.has(term) && !found.has(term))
    const last = pieces.at(-1)
    if (last && last.isAsked === isAsked) last.text += segment
    else pieces.push({ text: segment, isAsked })
  }
  return pieces
}
