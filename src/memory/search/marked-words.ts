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

/** A text in pieces, with the words of the query apart. */
export function markedWords(text: string, query: string, vocabulary: Pick<Vocabulary, 'common'>): Piece[] {
  const asked = new Set(queryTerms(query, vocabulary).present)
  const pieces: Piece[] = []
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    const isAsked = isWordLike === true && has(asked, segment, vocabulary)
    const last = pieces.at(-1)
    if (last && last.isAsked === isAsked) last.text += segment
    else pieces.push({ text: segment, isAsked })
  }
  return pieces
}

function has(asked: ReadonlySet<string>, word: string, { common }: Pick<Vocabulary, 'common'>): boolean {
  const { words, further } = cut(word, common)
  return [...words, ...further].some((term) => asked.has(term))
}
