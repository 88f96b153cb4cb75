/** Characters as the contract counts them (§1): a surrogate pair is one. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** The offset, or the one before it where a cut there would part a surrogate pair. */
export const betweenCharacters = (text: string, at: number): number =>
  /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) ? at - 1 : at

/** The offset that is this many characters behind `from`, or the end of the text. */
export function charactersOn(text: string, from: number, characters: number): number {
  let at = from
  for (let passed = 0; passed < characters && at < text.length; passed += 1) {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  }
  return at
}

/** The first characters of a text, at most that many. */
export const firstCharacters = (text: string, count: number): string => text.slice(0, charactersOn(text, 0, count))

/** The last ones. A character has one or two units, so a long text costs no more. */
export function lastCharacters(text: string, count: number): string {
  const end = text.slice(-2 * count)
  return end.length <= count ? end : Array.from(end).slice(-count).join('')
}
