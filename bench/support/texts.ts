/**
 * Deterministic texts and queries, so that runs compare. Their words are distributed as in natural language (Zipf), and
 * the most frequent ones are English function words.
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

  /** Rank r comes up about 1/r as often as rank 1. */
  word(): string {
    const rank = Math.floor(VOCABULARY ** this.#random())
    const functionWord = FUNCTION_WORDS[rank]
    if (functionWord !== undefined) return functionWord
    return [rank, rank / 20, rank / 400].map((digit) => SYLLABLES[Math.floor(digit) % 20]).join('')
  }

  text(words: number): string {
    return Array.from({ length: words }, () => this.word()).join(' ')
  }
}

const VOCABULARY = 8_000
/** About every second word of an English text is a function word. */
const FUNCTION_WORDS =
  'the of and to a in is that it for was on as with he be by at you are this but his from they she which or we an were there been their has would what will can if her all so about out up who them him than its only some into over these then my most such when no other our too very after more now how because did up down under again between before both each few own same where why while'.split(
    ' ',
  )
const SYLLABLES = 'ba co du fe gi ho ju ka le mi no pu ra se ti vo wa xe yu za'.split(' ')
