import stem from 'wink-porter2-stemmer'

/**
 * How form 1 of the keyword index cut a text. A search asks it while the project has items that are not indexed in the
 * present form (`reindex.ts`). Nothing is written in it.
 */
const MAX_TERM_CHARACTERS = 64
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const RUN = /\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu
const ENGLISH = /^[a-z]+$/

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** The terms that a text has in form 1. */
export const earlierTerms = (text: string): string[] =>
  (text.match(RUN) ?? []).flatMap((run) => (UNSPACED.test(run) ? termsOfSegments(run) : termOf(run)))

function termOf(run: string): string[] {
  const word = fold(run)
    .replace(/['’]s$/u, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
  const term = Array.from(word).slice(0, MAX_TERM_CHARACTERS).join('')
  return term === '' ? [] : [ENGLISH.test(term) ? stem(term) : term]
}

const fold = (word: string): string =>
  word
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()

const termsOfSegments = (run: string): string[] =>
  [...segmenter.segment(run)]
    .filter(({ isWordLike }) => isWordLike)
    .flatMap(({ segment }) => [...termOf(segment), ...(UNSPACED.test(segment) ? pairsOf(fold(segment)) : [])])

function pairsOf(word: string): string[] {
  const characters = Array.from(word)
  return characters.length > 2 ? characters.slice(1).map((next, at) => `${characters[at]}${next}`) : []
}
