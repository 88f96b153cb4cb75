import { utf8 } from '../../core/values/encoding.ts'

/** Hosts of agents stop at an answer of 25,000 tokens. The rest is for the message around a result. */
export const MAX_ANSWER_TOKENS = 24_000
/** A smaller budget has no room for one memory. */
const MIN_ANSWER_TOKENS = 1_000
/** Tokens of English have more bytes. Those of Chinese, Japanese and Korean have about three. */
const BYTES_PER_TOKEN = 3

/** The bytes that a result may take, within the bounds of every answer. */
export const bytesFor = (maxTokens = MAX_ANSWER_TOKENS): number =>
  BYTES_PER_TOKEN * Math.min(MAX_ANSWER_TOKENS, Math.max(MIN_ANSWER_TOKENS, maxTokens))

/** Bytes of UTF-8 that a value takes in an answer, which has it twice: as a structure, and as the JSON of that in a text. */
export function costOf(value: unknown): number {
  const json = JSON.stringify(value)
  return utf8(json).byteLength + utf8(JSON.stringify(json)).byteLength
}

/** The same for one character in a string. */
export function characterCost(codePoint: number): number {
  if (codePoint < 0x20) return SHORT_ESCAPES.has(codePoint) ? 5 : 13
  if (codePoint === QUOTE || codePoint === BACKSLASH) return 6
  if (codePoint < 0x80) return 2
  if (codePoint < 0x800) return 4
  return codePoint < 0x1_0000 ? 6 : 8
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** Backspace, tab, newline, form feed and carriage return are two characters in JSON; other controls are six. */
const SHORT_ESCAPES: ReadonlySet<number> = new Set([8, 9, 10, 12, 13])

export function textCost(text: string): number {
  let cost = 0
  for (const character of text) cost += characterCost(character.codePointAt(0) ?? 0)
  return cost
}
