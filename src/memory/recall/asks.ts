import { BEGINS_ASKING, COURTESY, ENDS_ASKING, TELLS_FIRST } from './asking-words.ts'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })
/** No sentence ends behind a title: `Is Dr. Who here?` */
const TITLE = /(?<![\p{L}\p{M}])(?:dr|dra|prof|mr|mrs|ms|st|sr|sra|mme|dott|hr|fr)\.\s+$/iu

/** Question marks of Latin, Arabic, Armenian, Ethiopic, full width and emoji. Unicode has no property for them. */
const QUESTION_MARK = /[?\u055E\u061F\u1367\u2047-\u2049\u203D\u2753\u2754\u2E2E\uFE56\uFF1F]/u
/** What may stand around a sentence: signs, brackets, quotes, emoji. */
const AROUND = String.raw`[\s\p{P}\p{S}\p{Emoji_Modifier}\u200D\uFE0F]`
const BEFORE = new RegExp(`^${AROUND}+`, 'u')
const BEHIND = new RegExp(`${AROUND}+$`, 'u')

/** A longer sentence is neither a question nor a greeting: it brings a text along. */
const MAX_SENTENCE_CHARACTERS = 1_000

/**
 * True for a turn that tells nothing and only asks: each of its sentences ends with a question mark, or is made as a
 * question or a request. Greetings and thanks among them count for neither.
 */
export function onlyAsks(text: string): boolean {
  let asks = false
  for (const sentence of sentencesOf(text)) {
    if (sentence.length > MAX_SENTENCE_CHARACTERS) return false
    const said = withoutCourtesies(folded(sentence))
    if (said.replace(BEHIND, '') === '') continue
    if (!isAsking(said)) return false
    asks = true
  }
  return asks
}

function* sentencesOf(text: string): Generator<string> {
  let open = ''
  for (const { segment } of segmenter.segment(text)) {
    open += segment
    if (open.length <= MAX_SENTENCE_CHARACTERS && TITLE.test(segment)) continue
    yield open
    open = ''
  }
  if (open !== '') yield open
}

/** A text of greetings and thanks alone. */
export const isCourtesy = (text: string): boolean =>
  text.length <= MAX_SENTENCE_CHARACTERS && withoutCourtesies(folded(text)).replace(BEHIND, '') === ''

function isAsking(said: string): boolean {
  if (TELLS_FIRST.test(said)) return false
  if (QUESTION_MARK.test(BEHIND.exec(said)?.[0] ?? '')) return true
  const words = said.replace(BEHIND, '')
  return BEGINS_ASKING.test(words) || ENDS_ASKING.test(words)
}

/** NFC makes a semicolon of the question mark of Greek. */
const folded = (text: string): string =>
  text.replaceAll('\u037E', '?').normalize('NFC').toLowerCase().replace(BEFORE, '')

/** `Hi, thanks! ` and the like may stand one behind the other. */
function withoutCourtesies(sentence: string): string {
  for (let rest = sentence; ;) {
    const shorter = rest.replace(COURTESY, '').replace(BEFORE, '')
    if (shorter === rest) return rest
    rest = shorter
  }
}
