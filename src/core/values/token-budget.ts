/** The characters of a text that count as one token (contract §3). Most tokens of English have more. */
export const CHARACTERS_PER_TOKEN = 3
export const MAX_TOKENS = 100_000

/** The first items, whole, whose texts fill at most `maxTokens`; the first one always. */
export function withinTokens<Item>(
  items: readonly Item[],
  maxTokens: number,
  textsOf: (item: Item) => readonly string[],
): Item[] {
  let left = maxTokens
  const end = items.findIndex((item, at) => {
    for (const text of textsOf(item)) left -= estimatedTokens(text)
    return left < 0 && at > 0
  })
  return end === -1 ? [...items] : items.slice(0, end)
}

export const estimatedTokens = (text: string): number => Math.ceil(characters(text) / CHARACTERS_PER_TOKEN)

/** Code points, as everywhere in the contract. */
function characters(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
