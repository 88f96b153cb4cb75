import stem from 'wink-porter2-stemmer'

/** Longer runs (encoded blobs) are cut: nobody searches for them whole. */
const MAX_TOKEN_CHARACTERS = 64
/** Scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** Letters and digits; marks and apostrophes inside a word and separators inside a number do not end it. */
const RUN = /\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu
const ENGLISH = /^[a-z]{3,}$/

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/**
 * The words of a text in order, as the word index keeps them: lower case, without marks, English words stemmed.
 * A token holds letters and digits only, so it never means anything to FTS5 (security 31).
 */
export function tokens(text: string): string[] {
  const found: string[] = []
  for (const run of text.match(RUN) ?? []) {
    if (UNSPACED.test(run)) pushSegments(found, run)
    else pushToken(found, run)
  }
  return found
}

function pushToken(found: string[], run: string): void {
  const word = ASCII.test(run)
    ? run.toLowerCase()
    : fold(run)
        .replace(/['’]s$/u, '')
        .replaceAll(/[^\p{L}\p{N}]+/gu, '')
  const token = word.length > MAX_TOKEN_CHARACTERS ? Array.from(word).slice(0, MAX_TOKEN_CHARACTERS).join('') : word
  if (token !== '') found.push(ENGLISH.test(token) ? stemOf(token) : token)
}

/** The oldest goes first. Two megabytes of an isolate at most. */
const stems = new Map<string, string>()
const MAX_STEMS = 20_000

/** Stemming takes longer than all else that is done with a word, and texts repeat their words. */
function stemOf(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  const found = stem(word)
  stems.set(word, found)
  const oldest = stems.keys().next().value
  if (stems.size > MAX_STEMS && oldest !== undefined) stems.delete(oldest)
  return found
}

const ASCII = /^[A-Za-z0-9]+$/

/** Compatibility forms become plain ones, accents go. */
const fold = (word: string): string =>
  word
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()

/** Characters that folding leaves as they are, one UTF-16 unit each: most of Chinese, much of Japanese. */
const IDEOGRAPHS = /^[\u4E00-\u9FFF]+$/

/** Words by dictionary; of longer ones also each pair of characters, since the dictionary's cut depends on its context. */
function pushSegments(found: string[], run: string): void {
  for (const { segment, isWordLike } of segmenter.segment(run)) {
    if (!isWordLike) continue
    if (IDEOGRAPHS.test(segment)) {
      found.push(segment.slice(0, MAX_TOKEN_CHARACTERS))
      pushPairs(found, segment)
    } else {
      pushToken(found, segment)
      if (UNSPACED.test(segment)) pushPairs(found, fold(segment))
    }
  }
}

function pushPairs(found: string[], word: string): void {
  const characters = word.length > 2 ? Array.from(word) : []
  for (let at = 0; characters.length > 2 && at + 1 < characters.length; at++) {
    found.push(`${characters[at]}${characters[at + 1]}`)
  }
}

const MAX_QUERY_TERMS = 64

/** The distinct words of a query that are worth ranking by: without stop words, unless it has no others. */
export function queryTerms(query: string): string[] {
  const distinct = [...new Set(tokens(query))]
  const telling = distinct.filter((token) => !STOP_WORDS.has(token))
  return (telling.length > 0 ? telling : distinct).slice(0, MAX_QUERY_TERMS)
}

/** English words that nearly every text has, stemmed as `tokens` stems them. */
const STOP_WORDS = new Set(
  tokens(`a about above after again against all am an and any are as at be because been before being below between
    both but by can could did do does doing down during each few for from further had has have having he her here hers
    herself him himself his how i if in into is it its itself just me more most my myself no nor not now of off on once
    only or other our ours ourselves out over own same she should so some such than that the their theirs them
    themselves then there these they this those through to too under until up us very was we were what when where which
    while who whom why will with would you your yours yourself yourselves`),
)
