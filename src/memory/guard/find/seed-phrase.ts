import { sha256 } from '@noble/hashes/sha2.js'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import type { Found } from './found.ts'

/** BIP-39: a phrase has one of these numbers of words, and its last bits are a checksum of the others. */
const SIZES = [24, 21, 18, 15, 12]
const MIN_WORDS = 12
/** A phrase may have some more words of the list around it. Many more are a list of words. */
const MAX_AROUND = 12
/** A text that asks for more is a dictionary: the search ends, so that no text takes long. */
const MAX_CHECKS = 48
const MAX_LOOK_UPS = 2_000
/** One word in as many may repeat by chance. The phrases of documents repeat more: `abandon abandon …`. */
const WORDS_PER_REPEAT = 4
/** The lengths of words in the English list. */
const SHORTEST = 3
const LONGEST = 8
/** Characters between two words: a space, a number and a point, quotes with their escapes and a comma. */
const MAX_BETWEEN = 16
const SPACE = 32
const BACKSLASH = 92

const INDEX = new Map(wordlist.map((word, index) => [word, index]))

/** Words in a row, by the places of their first letters and of the characters behind them. */
interface Words {
  starts: number[]
  ends: number[]
}

/** Seed phrases of wallets in English (BIP-39), by words and checksum. */
export function findSeedPhrases(text: string): Found[] {
  const search = new PhraseSearch(text)
  const words: Words = { starts: [], ends: [] }
  let wordStart = -1
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : SPACE
    if (isLetter(code)) {
      if (wordStart < 0) wordStart = at
      continue
    }
    if (wordStart >= 0) {
      const length = at - wordStart
      const fits = length >= SHORTEST && length <= LONGEST
      const { starts, ends } = words
      if (starts.length > 0 && (!fits || wordStart - (ends.at(-1) ?? 0) > MAX_BETWEEN)) {
        if (starts.length >= MIN_WORDS) search.lookInto(words)
        starts.length = 0
        ends.length = 0
      }
      if (fits) {
        starts.push(wordStart)
        ends.push(at)
      }
      wordStart = -1
    }
    if (code === BACKSLASH) at = endOfEscape(text, at)
  }
  search.lookInto(words)
  return search.found
}

/** Ideographs end a word: a phrase may follow them without a space. */
const isLetter = (code: number): boolean => (code | 32) >= 97 && ((code | 32) <= 122 || (code > 127 && code < 0x2e80))

/** The last character of an escape, such as `\\n`, or of one in a text that was escaped twice. It belongs to no word. */
function endOfEscape(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at + 1) === BACKSLASH) at += 1
  return 'nrt'.includes(text[at + 1] ?? ' ') ? at + 1 : at
}

class PhraseSearch {
  readonly found: Found[] = []
  readonly #text: string
  #checks = 0
  #lookUps = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Looks for twelve words of the list in a row, from the last of them back, which passes over most of prose. */
  lookInto(words: Words): void {
    const count = words.starts.length
    const isListed = (word: number): boolean => this.#indexOf(words, word) !== undefined
    for (let from = 0; from + MIN_WORDS <= count && this.#lookUps < MAX_LOOK_UPS;) {
      let last = from + MIN_WORDS - 1
      while (last >= from && isListed(last)) last -= 1
      if (last >= from) from = last + 1
      else {
        let to = from + MIN_WORDS
        while (to < count && isListed(to)) to += 1
        this.#check(words, from, to)
        from = to + 1
      }
    }
  }

  /** Looks for phrases among words of the list: the same separator stands between all words of a phrase. */
  #check(words: Words, from: number, to: number): void {
    let first = from
    for (let word = from + 2; word <= to; word += 1) {
      if (word < to && this.#separator(words, word) === this.#separator(words, first + 1)) continue
      if (word - first >= MIN_WORDS) this.#checkParts(words, first, word)
      first = word - 1
    }
  }

  /** The longest part that is a phrase, from the first word on. */
  #checkParts(words: Words, from: number, to: number): void {
    for (const size of SIZES) {
      const last = to - size
      if (last - from > MAX_AROUND) continue
      for (let first = from; first <= last; first += 1) {
        if (this.#checks >= MAX_CHECKS) return
        this.#checks += 1
        const indexes = Array.from({ length: size }, (_, word) => this.#indexOf(words, first + word) ?? 0)
        if (!isPhrase(indexes)) continue
        this.found.push({
          kind: 'seed_phrase',
          start: words.starts[first] ?? 0,
          end: words.ends[first + size - 1] ?? 0,
        })
        return
      }
    }
  }

  /** What stands before a word, without the numbers of a list. */
  #separator({ starts, ends }: Words, word: number): string {
    return this.#text.slice(ends[word - 1], starts[word]).replace(/\d+/, '')
  }

  #indexOf({ starts, ends }: Words, word: number): number | undefined {
    this.#lookUps += 1
    return INDEX.get(this.#text.slice(starts[word], ends[word]).toLowerCase())
  }
}

/** Whether the checksum is right: the first bits of the hash of the entropy, one for each 32 of its bits. */
function isPhrase(indexes: readonly number[]): boolean {
  const repeats = indexes.length - new Set(indexes).size
  if (repeats * WORDS_PER_REPEAT >= indexes.length) return false
  const bytes = new Uint8Array(Math.ceil((indexes.length * 11) / 8))
  indexes.forEach((index, word) => {
    for (let bit = 0; bit < 11; bit += 1) {
      const place = word * 11 + bit
      if (index & (1 << (10 - bit))) bytes[place >> 3] = (bytes[place >> 3] ?? 0) | (128 >> (place & 7))
    }
  })
  const checksumBits = indexes.length / 3
  const entropy = bytes.subarray(0, checksumBits * 4)
  const shift = 8 - checksumBits
  return (sha256(entropy)[0] ?? 0) >> shift === (bytes[entropy.length] ?? 0) >> shift
}
