import { withShortMarks } from '../../core/values/short-marks.ts'

/**
 * Characters that a reader does not see, or that only change how others look: soft hyphen, tatweel, zero width, direction,
 * variation, skin tone. A joiner stays where it makes one emoji of two.
 */
const INVISIBLE =
  /[\u00AD\u0640\u061C\u180E\u200B\u200C\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]|[\uFE00-\uFE0F]|\p{Emoji_Modifier}|\u200D(?!\p{Extended_Pictographic})/gu

export const visible = (text: string): string => text.replaceAll(INVISIBLE, '')

/** Letters that Unicode does not take apart, and how people write them without their own keyboard. */
const PLAIN_LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
  ĸ: 'k',
}
const SPECIAL_LETTER = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'gu')

/** Lower case, without accents, compatibility forms made plain. */
export const fold = (word: string): string =>
  withShortMarks(word)
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(SPECIAL_LETTER, (letter) => PLAIN_LETTERS[letter] ?? letter)

/** Distance of a sign of ASCII from its full-width form. */
const FULL_WIDTH = 0xfe_e0

/** Separators and signs of ASCII in a term. The index splits its terms at ASCII, and folding leaves no full-width form of a text. */
export const wide = (text: string): string =>
  text.replaceAll(/[!-/:-@[-`{-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + FULL_WIDTH))

/** The text that `wide` was given. */
export const narrow = (term: string): string =>
  term.replaceAll(/[\uFF01-\uFF0F\uFF1A-\uFF20\uFF3B-\uFF40\uFF5B-\uFF5E]/g, (sign) =>
    String.fromCharCode(sign.charCodeAt(0) - FULL_WIDTH),
  )
