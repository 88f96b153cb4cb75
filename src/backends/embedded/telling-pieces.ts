import { STOP_WORD_LIST } from '../../core/values/stop-words.ts'
import { isOnePiece, wordPieces } from './word-pieces.ts'

const PUNCTUATION =
  '! " # % & \' ( ) * , - . / : ; ? @ [ \\ ] _ { } ¡ ¿ § ¶ « » – — ‘ ’ “ ” … 。 、 ？ ！ ， ： ； 「 」 『 』 《 》 （ ） ।'

let silent: ReadonlySet<number> | undefined

/** The pieces of stop words and punctuation. They are found at the first question, so an isolate without one does not look. */
const silentPieces = (): ReadonlySet<number> =>
  (silent ??= new Set(wordPieces([...STOP_WORD_LIST.split(' ').filter(isOnePiece), PUNCTUATION].join(' '))))

/** The pieces of a question that say what it is about. One of stop words and punctuation alone keeps all. */
export function tellingPieces(question: Uint16Array): Uint16Array {
  const all = silentPieces()
  const telling = question.filter((piece) => !all.has(piece))
  return telling.length > 0 ? telling : question
}
