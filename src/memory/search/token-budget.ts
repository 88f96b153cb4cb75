/** The characters of a text that count as one token (contract §3). Most tokens of English have more. */
export const CHARACTERS_PER_TOKEN = 3
export const MAX_TOKENS = 100_000

interface WithText {
  content: { text: string }
  neighbors?: readonly { text: string }[] | undefined
}

/** The first results, whole, whose texts, with those around them, fill at most `maxTokens`; the first one always. */
export function withinTokens<Result extends WithText>(
  results: readonly Result[],
  maxTokens: number | undefined,
): Result[] {
  if (maxTokens === undefined) return [...results]
  let left = maxTokens
  const tooMany = results.findIndex((result, at) => (left -= tokensOf(result)) < 0 && at > 0)
  return tooMany < 0 ? [...results] : results.slice(0, tooMany)
}

const tokensOf = ({ content, neighbors = [] }: WithText): number =>
  [content, ...neighbors].reduce((sum, { text }) => sum + estimatedTokens(text), 0)

export const estimatedTokens = (text: string): number => Math.ceil(characters(text) / CHARACTERS_PER_TOKEN)

/** Code points, as everywhere in the contract. */
function characters(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
