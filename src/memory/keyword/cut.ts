import stem from 'wink-porter2-stemmer'
import { BoundedMap } from '../../core/values/bounded-map.ts'
import type { Words } from '../../core/embedding.ts'
import { fold, visible, wide } from './fold.ts'
import { inflections, pairsOf } from './inflection.ts'

/** The terms of a text. */
export interface Cut {
  /** Words, numbers, emoji and signs, in order. Only they count in the length of the text. */
  words: string[]
  /** Terms that find a word by a part of it or in another form, in order: prefixes, pairs of characters, parts. */
  further: string[]
  /** Single ideographs inside longer words. A text has them. A query does not ask for them. */
  ideographs: string[]
}

/** A longer run (an encoded blob) is cut here, as nobody searches for the whole of it. */
const MAX_TERM_CHARACTERS = 64

const UNSPACED_SCRIPTS = ['Han', 'Hira', 'Kana', 'Thai', 'Laoo', 'Khmr', 'Mymr']
  .map((script) => String.raw`\p{scx=${script}}`)
  .join('')
/** A letter or digit of a script without spaces between words. */
const UNSPACED_LETTER = String.raw`[[\p{L}\p{M}\p{N}]&&[${UNSPACED_SCRIPTS}]]`
const EMOJI = String.raw`\p{Regional_Indicator}{2}|\p{Extended_Pictographic}(?:\u200D\p{Extended_Pictographic})*`
/** Of the signs of ASCII only money: the others are the punctuation of code and markup. */
const SIGN = String.raw`\p{Sc}|\p{So}|[\p{Sm}--[\x00-\x7F]]`

/**
 * The runs of a text. The first branch takes nothing else than the fourth one: it finds plain words in half the time. A
 * number includes its separators and a short name before it (`v1.22.3`).
 */
const RUN = new RegExp(
  [
    String.raw`[a-zA-Z]+(?![\p{L}\p{N}\p{M}'’])`,
    String.raw`[a-zA-Z]*\p{N}+(?:[.,]\p{N}+)+`,
    `${UNSPACED_LETTER}+`,
    String.raw`[[\p{L}\p{N}]--[${UNSPACED_SCRIPTS}]](?:[[\p{L}\p{N}\p{M}'’]--[${UNSPACED_SCRIPTS}]])*`,
    EMOJI,
    SIGN,
  ].join('|'),
  'gv',
)
const NUMBER = /^([a-zA-Z]*)(\p{N}+(?:[.,]\p{N}+)+)$/u
const UNSPACED = new RegExp(`^${UNSPACED_LETTER}`, 'v')
const WORD = /^[\p{L}\p{N}]/u
const ENGLISH = /^[a-z]+$/
const PLAIN = /^[a-zA-Z0-9]+$/
const APOSTROPHE = /['’]/u

const UNSPACED_LETTERS = new RegExp(UNSPACED_LETTER, 'gv')

/** How many characters of a text are of such a script: each may be a word, while others have a word for four characters or more. */
export const unspacedCharacters = (text: string): number => text.match(UNSPACED_LETTERS)?.length ?? 0

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/**
 * Cuts a text as the keyword index has it: lower case, without accents, English words stemmed. A term holds no ASCII but
 * letters and digits, so it is never an operator of FTS5 (security 31), and never one of the index's own marks.
 */
export function cut(text: string, vocabulary: Words): Cut {
  const all: Cut = { words: [], further: [], ideographs: [] }
  const forms = formsOf(vocabulary)
  for (const run of visible(text).match(RUN) ?? []) {
    const known = forms.get(run)
    if (known) addForms(all, known)
    else if (PLAIN.test(run)) addWord(all, run.toLowerCase(), vocabulary)
    else if (UNSPACED.test(run)) addSegments(all, run, vocabulary)
    else if (NUMBER.test(run)) addNumber(all, run)
    else if (WORD.test(run)) addRun(all, run, vocabulary)
    else all.words.push(shortened(wide(run)))
  }
  return all
}

/** The words alone of a text, as `cut` has them. */
export const wordsOf = (text: string): string[] => cut(text, NO_VOCABULARY).words
const NO_VOCABULARY: Words = { has: () => true }

/** A word as terms: its stem, and what finds its other forms. */
interface Forms {
  term: string
  further: readonly string[]
}

/** They take four megabytes of an isolate at most. */
const MAX_FORMS = 20_000
/** By word. To find them takes longer than the rest of the work on a word, and texts repeat their words. */
const formsByVocabulary = new WeakMap<Words, BoundedMap<string, Forms>>()

function formsOf(vocabulary: Words): BoundedMap<string, Forms> {
  const known = formsByVocabulary.get(vocabulary)
  if (known) return known
  const forms = new BoundedMap<string, Forms>(MAX_FORMS)
  formsByVocabulary.set(vocabulary, forms)
  return forms
}

function addForms(all: Cut, { term, further }: Forms): void {
  all.words.push(term)
  for (const one of further) all.further.push(one)
}

const addWord = (all: Cut, word: string, vocabulary: Words): void => addForms(all, formsOfWord(word, vocabulary))

/** `word` is folded. */
function formsOfWord(word: string, vocabulary: Words): Forms {
  const short = shortened(word)
  return formsOf(vocabulary).getOrMake(short, () => {
    const term = ENGLISH.test(short) ? stem(short) : short
    return { term, further: inflections(short, term, vocabulary) }
  })
}

const shortened = (word: string): string =>
  word.length > MAX_TERM_CHARACTERS ? Array.from(word).slice(0, MAX_TERM_CHARACTERS).join('') : word

const lettersOf = (run: string): string => fold(run).replaceAll(/[^\p{L}\p{N}]+/gu, '')

/** A run of letters and digits, with marks and apostrophes. */
function addRun(all: Cut, run: string, vocabulary: Words): void {
  const word = lettersOf(run.replace(/['’]s$/iu, ''))
  if (word === '') return
  const parts = APOSTROPHE.test(run) ? partsOf(run) : []
  if (parts.length === 0) {
    addWord(all, word, vocabulary)
    return
  }
  all.words.push(formsOfWord(word, vocabulary).term)
  for (const part of parts) {
    const { term, further } = formsOfWord(part, vocabulary)
    all.further.push(term, ...further)
  }
}

/** An ending behind an apostrophe (`don't`) is shorter than a word of its own. */
const LEAST_PART_LETTERS = 3

/** What an apostrophe joins (`l'hôpital`, `Ayşe'nin`); none where one is the ending of a word. */
function partsOf(run: string): string[] {
  const parts = run
    .split(APOSTROPHE)
    .map(lettersOf)
    .filter((part) => part !== '')
  return parts.length > 1 && parts.slice(1).some((part) => part.length >= LEAST_PART_LETTERS) ? parts : []
}

/** A number as it stands, with its last separator as a point (`1,5`), and each of its parts. */
function addNumber(all: Cut, run: string): void {
  const [whole, name = '', digits = ''] = NUMBER.exec(fold(run)) ?? []
  if (whole === undefined) {
    // Folding takes a fraction such as ½ apart.
    all.words.push(...run.split(/[.,]/).map(lettersOf).filter(Boolean).map(shortened))
    return
  }
  const number = digits.replace(/,(?=\p{N}+$)/u, '.')
  all.words.push(shortened(wide(name + number)))
  if (name !== '') all.further.push(shortened(wide(number)))
  const [first = '', ...others] = digits.split(/[.,]/)
  all.further.push(...[name + first, ...others].map(shortened))
}

/** Characters that folding does not change, common and rare: most of Chinese, much of Japanese. */
const IDEOGRAPHS = /^[\u3400-\u4DBF\u4E00-\u9FFF\u{20000}-\u{2A6DF}\u{2A700}-\u{2EBE0}\u{30000}-\u{323AF}]+$/u
const IDEOGRAPH = /\p{Script=Han}/gu

/** Adds words by dictionary. Of a longer word it adds each pair of characters too, as the cut depends on the context. */
function addSegments(all: Cut, run: string, vocabulary: Words): void {
  for (const { segment, isWordLike } of segmenter.segment(run)) {
    if (!isWordLike) continue
    const word = IDEOGRAPHS.test(segment) ? segment : lettersOf(segment)
    if (word === '') continue
    const term = shortened(word)
    all.words.push(ENGLISH.test(term) ? formsOfWord(term, vocabulary).term : term)
    const pairs = pairsOf(word)
    if (pairs.length > 1) all.further.push(...pairs)
    if (pairs.length > 0) all.ideographs.push(...(word.match(IDEOGRAPH) ?? []))
  }
}
