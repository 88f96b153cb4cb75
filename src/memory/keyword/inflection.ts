import type { Words } from '../../core/embedding.ts'
import { fold } from './fold.ts'

/** Words of most languages keep their first letters in all of their forms: `Katze`, `Katzen`. */
const PREFIX_LETTERS = 5
/** Arabic words change within, so fewer letters stay. */
const ARABIC_PREFIX_LETTERS = 4
const ARABIC = /^\p{Script=Arabic}+$/u
/** The article, alone or with `and`, `with`, `as`, `to`, where three letters are left. */
const ARABIC_ARTICLE = /^(?:ال|وال|بال|كال|لل)(?=.{3})/u
const HANGUL = /\p{Script=Hangul}/u
const SYLLABLES = /\p{Script=Hangul}{2,}/gu
const LETTERS = /^\p{L}+$/u
const ASCII = /^[a-z]+$/

/**
 * Terms by which other forms of a word find it: its first letters, or the pairs of its syllables. `word` is folded and not
 * stemmed. None for words that the vocabulary has: those are English, and meet in their stem.
 */
export function inflections(word: string, term: string, vocabulary: Words): string[] {
  if (HANGUL.test(word)) return syllablePairs(word)
  if (word.length < PREFIX_LETTERS && !ARABIC.test(word)) return []
  if (!LETTERS.test(word)) return []
  const prefix = ARABIC.test(word) ? arabicPrefix(word) : firstOf(word, PREFIX_LETTERS)
  return prefix === null || prefix === term || (ASCII.test(word) && vocabulary.has(word)) ? [] : [prefix]
}

function arabicPrefix(word: string): string | null {
  const bare = word.replace(ARABIC_ARTICLE, '')
  return bare === word && word.length < PREFIX_LETTERS ? null : bare.slice(0, ARABIC_PREFIX_LETTERS)
}

function firstOf(word: string, count: number): string | null {
  if (ASCII.test(word)) return word.slice(0, count)
  const letters = Array.from(word)
  return letters.length < count ? null : letters.slice(0, count).join('')
}

/** Korean words take their endings as syllables, which folding has taken apart. */
const syllablePairs = (word: string): string[] =>
  (word.normalize('NFC').match(SYLLABLES) ?? []).flatMap((run) => pairsOf(run).map(fold))

/** Each two characters that stand side by side. */
export function pairsOf(text: string): string[] {
  const characters = Array.from(text)
  return characters.slice(1).map((next, at) => `${characters[at]}${next}`)
}
