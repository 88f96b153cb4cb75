import stem from 'wink-porter2-stemmer'
import { BoundedMap } from '../../core/values/bounded-map.ts'

/** A longer run (an encoded blob) is cut here, as nobody searches for the whole of it. */
const MAX_TERM_CHARACTERS = 64
/** Scripts without spaces between words. */
const UNSPACED_CHARACTERS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu
const UNSPACED = new RegExp(UNSPACED_CHARACTERS, 'u')
/**
 * A run of letters and digits. It includes marks and apostrophes inside a word and separators inside a number. The first
 * branch takes nothing else than the last one: it finds plain words in half the time.
 */
const RUN = /[a-zA-Z]+(?![\p{L}\p{N}\p{M}'’])|\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu
const ENGLISH = /^[a-z]+$/

/** How many characters of a text are of such a script: each may be a word, while others have a word for four characters or more. */
export const unspacedCharacters = (text: string): number => text.match(UNSPACED_CHARACTERS)?.length ?? 0

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/**
 * The terms of a text in order, as the keyword index keeps them: lower case, without marks, English words stemmed.
 * A term holds letters and digits only, so it is never an operator of FTS5 (security 31).
 */
export function tokenize(text: string): string[] {
  const terms: string[] = []
  for (const run of text.match(RUN) ?? []) {
    const stemmed = stems.get(run)
    if (stemmed !== undefined) terms.push(stemmed)
    else if (UNSPACED.test(run)) pushSegments(terms, run)
    else pushTerm(terms, run)
  }
  return terms
}

function pushTerm(terms: string[], run: string): void {
  const word = ASCII.test(run)
    ? run.toLowerCase()
    : fold(run)
        .replace(/['’]s$/u, '')
        .replaceAll(/[^\p{L}\p{N}]+/gu, '')
  const term = cut(word)
  if (term !== '') terms.push(ENGLISH.test(term) ? stems.getOrMake(term, stem) : term)
}

const cut = (word: string): string =>
  word.length > MAX_TERM_CHARACTERS ? Array.from(word).slice(0, MAX_TERM_CHARACTERS).join('') : word

/** They take two megabytes of an isolate at most. */
const MAX_STEMS = 20_000
/**
 * Stems by word. Stemming takes longer than the rest of the work on a word, and texts repeat their words. A word is a run
 * in lower case, so it does not keep its text in memory.
 */
const stems = new BoundedMap<string, string>(MAX_STEMS)

const ASCII = /^[A-Za-z0-9]+$/

/** Makes compatibility forms plain and drops accents. */
const fold = (word: string): string =>
  word
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()

/** Characters that folding does not change, common and rare: most of Chinese, much of Japanese. */
const IDEOGRAPHS = /^[\u3400-\u4DBF\u4E00-\u9FFF\u{20000}-\u{2A6DF}\u{2A700}-\u{2EBE0}\u{30000}-\u{323AF}]+$/u

/** Adds words by dictionary. Of a longer word it adds each pair of characters too, as the cut depends on the context. */
function pushSegments(terms: string[], run: string): void {
  for (const { segment, isWordLike } of segmenter.segment(run)) {
    if (!isWordLike) continue
    if (IDEOGRAPHS.test(segment)) {
      terms.push(cut(segment))
      pushPairs(terms, segment)
    } else {
      pushTerm(terms, segment)
      if (UNSPACED.test(segment)) pushPairs(terms, fold(segment))
    }
  }
}

function pushPairs(terms: string[], word: string): void {
  const characters = word.length > 2 ? Array.from(word) : []
  for (let at = 0; characters.length > 2 && at + 1 < characters.length; at++) {
    terms.push(`${characters[at]}${characters[at + 1]}`)
  }
}

const MAX_QUERY_TERMS = 64

/** The distinct terms of a query, without stop words. A query of stop words alone keeps them. */
export function queryTerms(query: string): string[] {
  const distinct = [...new Set(tokenize(query))]
  const selective = distinct.filter((term) => !STOP_WORDS.has(term))
  return (selective.length > 0 ? selective : distinct).slice(0, MAX_QUERY_TERMS)
}

/** Stems of English words that nearly every text contains. */
const STOP_WORDS = new Set(
  tokenize(`a about above after again against all am an and any are as at be because been before being below between
    both but by can could did do does doing down during each few for from further had has have having he her here hers
    herself him himself his how i if in into is it its itself just me more most my myself no nor not now of off on once
    only or other our ours ourselves out over own same she should so some such than that the their theirs them
    themselves then there these they this those through to too under until up us very was we were what when where which
    while who whom why will with would you your yours yourself yourselves`),
)
