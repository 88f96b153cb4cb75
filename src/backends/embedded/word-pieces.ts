import { BertNormalizer, BertPreTokenizer } from '@huggingface/tokenizers'
import { withShortMarks } from '../../core/values/short-marks.ts'
import { pieceTrie } from './piece-trie.ts'

/** Id of a word that is neither a piece nor made of pieces. */
export const UNKNOWN = 100
/** A longer word is `UNKNOWN`. */
const MAX_WORD_CHARACTERS = 100

/** A segment between white space. The normaliser drops the other characters that `\s` matches, and joins the text around them. */
const SEGMENTS = /[^\t\n\r\p{Zs}\u2028\u2029]+/gu

/** Kinds of characters. In plain text a word is a run of letters and digits, or one mark. */
const ODD = 0
const SPACE = 1
const MARK = 2
const WORD = 3
const KINDS = Uint8Array.from({ length: 127 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[\t\n\r ]/.test(character)) return SPACE
  if (/[a-z0-9]/i.test(character)) return WORD
  return code > 32 ? MARK : ODD
})
const kindOf = (unit: number | undefined): number => KINDS[unit ?? 0] ?? ODD

/**
 * The UTF-16 units of a text, and of a word of the normaliser. To read them from a string, three times each, takes as long
 * as to find the pieces. They are kept between calls: of the longest text 256 KiB.
 */
let textUnits = new Uint16Array(0)
/** A longer word has too many characters. */
const wordUnits = new Uint16Array(2 * MAX_WORD_CHARACTERS)

/** Copies the units into an array, or into a larger one. */
function unitsOf(text: string, into: Uint16Array<ArrayBuffer>): Uint16Array<ArrayBuffer> {
  const units = into.length < text.length ? new Uint16Array(text.length) : into
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at)
  return units
}

const normalizer = new BertNormalizer({
  type: 'BertNormalizer',
  clean_text: true,
  handle_chinese_chars: true,
  strip_accents: true,
  lowercase: true,
})
const splitter = new BertPreTokenizer()

/** Ids of the word pieces of a text: WordPiece as BERT uncased has it, without special tokens. */
export function wordPieces(text: string): number[] {
  const pieces: number[] = []
  addSegments(text, pieces, () => {})
  return pieces
}

/** Whether a word is one piece. */
export function isOnePiece(word: string): boolean {
  const pieces = wordPieces(word)
  return pieces.length === 1 && pieces[0] !== UNKNOWN
}

/** The vocabulary is ordered by how often a piece occurs in English. */
const COMMON_PIECES = 12_000

/** Whether a word is one piece, and one that English texts often have. */
export const isCommonPiece = (word: string): boolean =>
  isOnePiece(word) && (wordPieces(word)[0] ?? COMMON_PIECES) < COMMON_PIECES

/** Adds the pieces of each segment between white space. After each one `visit` gets its offsets. */
export function addSegments(text: string, pieces: number[], visit: (start: number, end: number) => void): void {
  const units = (textUnits = unitsOf(text, textUnits))
  for (let at = 0; at < text.length;) {
    if (kindOf(units[at]) === SPACE) {
      at++
      continue
    }
    const before = pieces.length
    let end = addPlain(units, at, text.length, pieces)
    if (end < text.length && kindOf(units[end]) === ODD) {
      SEGMENTS.lastIndex = at
      const segment = SEGMENTS.exec(text)
      if (segment?.index !== at) {
        // A white space that is not plain.
        at = segment?.index ?? text.length
        continue
      }
      if (end < SEGMENTS.lastIndex) {
        end = SEGMENTS.lastIndex
        pieces.length = before
        for (const word of splitter.pre_tokenize_text(normalizer.normalize(withShortMarks(segment[0])))) {
          if (word.length > wordUnits.length) pieces.push(UNKNOWN)
          else addWord(unitsOf(word, wordUnits), 0, word.length, pieces)
        }
      }
    }
    visit(at, end)
    at = end
  }
}

/** Adds the words up to a space, a character that is not plain or the end, and answers where it stands. Plain text needs no normaliser. */
function addPlain(units: Uint16Array, from: number, end: number, pieces: number[]): number {
  let at = from
  while (at < end) {
    const kind = kindOf(units[at])
    if (kind < MARK) break
    const start = at++
    if (kind === WORD) while (at < end && kindOf(units[at]) === WORD) at++
    addWord(units, start, at, pieces)
  }
  return at
}

/** Adds the longest piece that a word begins with, then the longest that goes on, to its end. */
function addWord(units: Uint16Array, start: number, end: number, pieces: number[]): void {
  const trie = pieceTrie()
  const before = pieces.length
  let at = start
  if (end - start <= MAX_WORD_CHARACTERS || charactersOf(units.subarray(start, end)) <= MAX_WORD_CHARACTERS) {
    let from: number
    do {
      from = at
      at = trie.addLongest(units, from, end, from > start, pieces)
    } while (from < at && at < end)
  }
  if (at === end) return
  pieces.length = before
  pieces.push(UNKNOWN)
}

/** A high and a low surrogate are one character. */
const charactersOf = (units: Uint16Array): number =>
  units.reduce((count, unit, at) => count + (isLow(unit) && isHigh(units[at - 1] ?? 0) ? 0 : 1), 0)

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff
