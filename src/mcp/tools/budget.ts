/** Characters that count as one token. Models differ; most texts have more characters a token, so this errs on the safe side. */
const CHARACTERS_A_TOKEN = 3

/** The tokens that a value takes as JSON, estimated. */
export const estimatedTokens = (value: unknown): number => Math.ceil(JSON.stringify(value).length / CHARACTERS_A_TOKEN)

/** The first items that fit into the budget, whole and at least one, and the ids of the others. */
export function fitting<T extends { id: string }>(
  items: readonly T[],
  maxTokens: number,
): { kept: T[]; leftOut: string[] } {
  let used = 0
  const end = items.findIndex((item, index) => {
    used += estimatedTokens(item)
    return used > maxTokens && index > 0
  })
  const kept = end === -1 ? items : items.slice(0, end)
  return { kept: [...kept], leftOut: items.slice(kept.length).map(({ id }) => id) }
}
