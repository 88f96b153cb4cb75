/** Wordings that are wrong wherever a user reads them, each with what to write instead. */
export const PATTERNS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(?:has|have) to lie\b/i, 'must be'],
  [/\blies? ahead\b/i, 'is in the future'],
  [/\bmakes? no\b/i, 'cannot create'],
  [/\b(?:role|key)\b[^.]*\bdoes not (?:change|delete|make|manage|publish|write)\b/i, 'cannot'],
  [/\bso (?:many|much|long)\b(?! that\b)/i, 'how many, this many, as long as'],
  [/\bmeanwhile\b/i, 'in the meantime, or nothing'],
  [/\banew\b/i, 'again'],
  [/\bagain and again\b/i, 'repeatedly, or kept doing'],
  [/\bleast similarity\b/i, 'minimum similarity'],
  [/\bwrong use\b/i, 'usage error'],
  [/\bmay come several times\b/i, 'repeatable'],
  [/\bis no (?:whole|such)\b/i, 'is not a whole, does not exist'],
  [/\bwhich is no(?:ne)?\b(?! longer\b)/i, 'which is not'],
  [/\bwhoever\b/i, 'anyone who, a caller who'],
  [/\b(?:is|are|be) told of\b/i, 'is notified of'],
  [/\bgoes with\b/i, 'needs, belongs to'],
  [/\banswers? (?:with )?[1-5]\d\d\b/i, 'returns'],
]

/** What is wrong in a text that users read: one line a fault. */
export const voiceFaults = (text: string): string[] => {
  const words = text.replaceAll(/\s+/g, ' ')
  return PATTERNS.flatMap(([pattern, instead]) => {
    const [found] = pattern.exec(words) ?? []
    return found === undefined ? [] : [`instead of "${found}" write: ${instead}`]
  })
}
