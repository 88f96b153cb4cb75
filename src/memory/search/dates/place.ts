import type { Days, Yearly } from './calendar.ts'

/** Where a phrase stands, in UTF-16 units. */
export interface Place {
  at: number
  end: number
  days: Days | Yearly
}

const IN_WORD = /[\p{L}\p{M}\p{N}]/u
const HANGUL = /\p{Script=Hangul}/u
/** Scripts without spaces between words. */
export const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

export const isBetween = (text: string, at: number): boolean =>
  at === 0 || !IN_WORD.test(text.slice(at - 1, at)) || !IN_WORD.test(text.slice(at, at + 1))

/** A phrase may begin here. A digit follows a letter of these scripts as a word of its own. */
export const mayBegin = (text: string, at: number): boolean =>
  isBetween(text, at) ||
  UNSPACED.test(text.slice(at - 1, at + 1)) ||
  (HANGUL.test(text.slice(at - 1, at)) && /\d/.test(text.slice(at, at + 1)))

/** A phrase may end here. Korean particles follow a word. */
export const mayEnd = (text: string, at: number): boolean =>
  isBetween(text, at) ||
  UNSPACED.test(text.slice(at - 1, at + 1)) ||
  (HANGUL.test(text.slice(at - 1, at)) && !text.startsWith('날', at))
