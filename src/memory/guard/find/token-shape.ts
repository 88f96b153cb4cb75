import { isRandom } from './plausible.ts'
import { runEnd, type Found, type Reader } from './found.ts'

/** What may stand in a token after its prefix. A run of these ends the token, whatever follows. */
const ALPHABETS = {
  alnum: /[A-Za-z0-9]*/y,
  upper: /[A-Z0-9]*/y,
  hex: /[0-9A-Fa-f]*/y,
  word: /\w*/y,
  url: /[\w-]*/y,
  base64: /[A-Za-z0-9+/=]*/y,
  dotted: /[\w.=-]*/y,
  path: /[\w/@-]*/y,
  percent: /[A-Za-z0-9%]*/y,
} as const
type Alphabet = keyof typeof ALPHABETS

/** Tokens that begin with one of some prefixes and go on with `min` to `max` characters of an alphabet. */
export interface TokenShape {
  kind: string
  prefixes: readonly string[]
  alphabet: Alphabet
  min: number
  max: number
}

/** `prefixes` are separated by spaces. `max` is `min` where it is left out: all such tokens have one length. */
export const shape = (kind: string, prefixes: string, alphabet: Alphabet, min: number, max = min): TokenShape => ({
  kind,
  prefixes: prefixes.split(' '),
  alphabet,
  min,
  max,
})

/** A sentence may end behind a token whose alphabet has its mark. */
const TRAILING = new Set(['.', '-', '='])

/** Reads the tokens of the shapes that share a prefix. */
export const tokenReader =
  (shapes: readonly TokenShape[]): Reader =>
  (text, at, after) => {
    let read = after
    for (const { kind, alphabet, min, max } of shapes) {
      const end = runEnd(ALPHABETS[alphabet], text, after)
      if (end > read) read = end
      const found = tokenIn(text, { kind, start: at, end }, after, min, max)
      if (found) return found
    }
    return read
  }

function tokenIn(text: string, run: Found, after: number, min: number, max: number): Found | null {
  let { end } = run
  while (end - after > min && TRAILING.has(text[end - 1] ?? '')) end -= 1
  const length = end - after
  if (length < min || length > max || !isRandom(text, after, end)) return null
  return { ...run, end }
}
