import { readFileSync } from 'node:fs'

/**
 * Deterministic texts and queries, so that runs compare. Their words are English and as frequent as in natural text: the
 * embedded model reads English, and where it does not know the words a hybrid search is one by keyword.
 */
export class Texts {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** Mulberry32: small, fast and the same everywhere. */
  #random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }

  index(below: number): number {
    return Math.floor(this.#random() * below)
  }

  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    const one = list[this.index(list.length)]
    if (one === undefined) throw new Error('nothing to pick from')
    return one
  }

  /** A word comes up as often as in the corpus. */
  word(): string {
    return this.pick(WORDS)
  }

  /** A text of this many characters without a repeated word, which costs more to index than any other English one. */
  distinctWords(characters: number): string {
    const words = Array.from({ length: Math.ceil(characters / 5) }, (_, at) => (at + 36 ** 3).toString(36))
    return words.join(' ').slice(0, characters)
  }

  /** A text of ideographs that come once: a word each, so it has more different words than any other. */
  ideographs(characters: number): string {
    return Array.from({ length: characters }, (_, at) => String.fromCodePoint(0x20000 + (at % 42_720))).join('')
  }

  /** The same of common ideographs, which a length in UTF-16 counts once. No two texts are equal. */
  commonIdeographs(characters: number): string {
    const step = 1 + 2 * this.index(1_000)
    return Array.from({ length: characters }, (_, at) => String.fromCodePoint(0x4e00 + ((at * step) % 20_992))).join('')
  }

  text(words: number): string {
    return Array.from({ length: words }, () => this.word()).join(' ')
  }
}

/** The plain English of the retrieval set: abstracts of papers, 7,700 different words. */
const CORPUS = 'pubmed'
const PASSAGES = new URL('../data/retrieval/passages.jsonl', import.meta.url)

/** Every word of the corpus, as often as it stands there. */
const WORDS = readFileSync(PASSAGES, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): { corpus: string; text: string } => JSON.parse(line))
  .filter(({ corpus }) => corpus === CORPUS)
  .flatMap(({ text }) => text.toLowerCase().match(/[a-z]+/g) ?? [])
