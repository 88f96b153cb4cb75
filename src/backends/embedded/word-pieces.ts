import { BertNormalizer, BertPreTokenizer } from '@huggingface/tokenizers'
import lines from './vocab.txt'

/** Id of a word that is neither a piece nor made of pieces. */
export const UNKNOWN = 100
/** A longer word is `UNKNOWN`. */
const MAX_WORD_CHARACTERS = 100

/** A segment between white space. The normaliser drops the other characters that `\s` matches, and joins the text around them. */
const SEGMENTS = /[^\t\n\r\p{Zs}\u2028\u2029]+/gu

const PLAIN_WORD = /^[A-Za-z]+$/

/** Kinds of characters. In plain text a word is a run of letters and digits, or one mark. */
const ODD = 0
const SPACE = 1
const MARK = 2
const LOWER = 3
const UPPER = 4
const KINDS = Uint8Array.from({ length: 127 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[\t\n\r ]/.test(character)) return SPACE
  if (/[a-z0-9]/.test(character)) return LOWER
  if (/[A-Z]/.test(character)) return UPPER
  return code > 32 ? MARK : ODD
})
const kindAt = (text: string, at: number): number => KINDS[text.charCodeAt(at)] ?? ODD

/** Ids of the pieces that begin a word, and of those that continue one. */
interface Vocabulary {
  first: Map<string, number>
  further: Map<string, number>
  /** UTF-16 units of the longest piece. */
  longest: number
}

let known: Vocabulary | undefined
const vocabulary = (): Vocabulary => (known ??= read())

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
  if (PLAIN_WORD.test(word)) return vocabulary().first.has(word.toLowerCase())
  const pieces = wordPieces(word)
  return pieces.length === 1 && pieces[0] !== UNKNOWN
}

/** Adds the pieces of each segment between white space. After each one `visit` gets its offsets. */
export function addSegments(text: string, pieces: number[], visit: (start: number, end: number) => void): void {
  for (let at = 0; at < text.length;) {
    if (kindAt(text, at) === SPACE) {
      at++
      continue
    }
    const before = pieces.length
    let end = addPlain(text, at, pieces)
    if (end < text.length && kindAt(text, end) === ODD) {
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
        for (const word of splitter.pre_tokenize_text(normalizer.normalize(segment[0]))) addWord(word, pieces)
      }
    }
    visit(at, end)
    at = end
  }
}

/** Adds the words up to a space or a character that is not plain, and answers where it stands. Plain text needs no normaliser. */
function addPlain(text: string, from: number, pieces: number[]): number {
  let at = from
  for (let kind = kindAt(text, at); kind >= MARK; kind = kindAt(text, at)) {
    const start = at++
    let cased = kind === UPPER
    if (kind > MARK) for (; (kind = kindAt(text, at)) >= LOWER; at++) cased ||= kind === UPPER
    const word = text.slice(start, at)
    addWord(cased ? word.toLowerCase() : word, pieces)
  }
  return at
}

/** Adds the longest piece that the word begins with, then the longest that goes on, to its end. */
function addWord(word: string, pieces: number[]): void {
  const { first, further, longest } = vocabulary()
  const whole = first.get(word)
  if (whole !== undefined) {
    pieces.push(whole)
    return
  }
  const before = pieces.length
  let start = word.length > MAX_WORD_CHARACTERS && Array.from(word).length > MAX_WORD_CHARACTERS ? -1 : 0
  while (start >= 0 && start < word.length) {
    const pieceOf = start === 0 ? first : further
    let end = Math.min(word.length, start + longest)
    let piece = pieceOf.get(word.slice(start, end))
    while (piece === undefined && --end > start) piece = pieceOf.get(word.slice(start, end))
    if (piece !== undefined) pieces.push(piece)
    start = piece === undefined ? -1 : end
  }
  if (start >= 0) return
  pieces.length = before
  pieces.push(UNKNOWN)
}

/** A piece a line, its id the number of the line from 0. `##` stands before a piece that continues a word. */
function read(): Vocabulary {
  const first = new Map<string, number>()
  const further = new Map<string, number>()
  let longest = 0
  for (let at = 0, id = 0; at < lines.length; id++) {
    const end = lines.indexOf('\n', at)
    const continues = lines.startsWith('##', at)
    const piece = lines.slice(continues ? at + 2 : at, end)
    ;(continues ? further : first).set(piece, id)
    longest = Math.max(longest, piece.length)
    at = end + 1
  }
  return { first, further, longest }
}
