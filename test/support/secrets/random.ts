export const BASE62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
export const HEX = '0123456789abcdef'
export const DIGITS = '0123456789'

/** Random values from a seed, the same on each run. */
export class Seeded {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Mulberry32: at least 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }

  below(bound: number): number {
    return Math.floor(this.next() * bound)
  }

  pick<T>(list: readonly T[]): T {
    const one = list[this.below(list.length)]
    if (one === undefined) throw new Error('a list has members')
    return one
  }

  chars(count: number, alphabet = BASE62): string {
    return Array.from({ length: count }, () => alphabet[this.below(alphabet.length)]).join('')
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.below(256))
  }

  uuid(): string {
    return [8, 4, 4, 4, 12].map((count) => this.chars(count, HEX)).join('-')
  }
}

export const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
export const base64url = (bytes: Uint8Array): string =>
  base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
export const encoded = (text: string): string => base64url(new TextEncoder().encode(text))
