/** Characters as the contract counts them (§1): a surrogate pair is one. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
