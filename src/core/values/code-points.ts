/** Characters as the contract counts them (§1): a surrogate pair is one. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** The offset, or the one before it where a cut there would part a surrogate pair. */
export const betweenCharacters = (text: string, at: number): number =>
  /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) ? at - 1 : at
