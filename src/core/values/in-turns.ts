/**
 * The list in the order in which parties take turns; each party keeps its own order. Parties are told apart by the first
 * function, and those within each of them by the next.
 */
export function inTurns<T>(list: readonly T[], ...partyOf: ((one: T) => string)[]): T[] {
  const [first, ...within] = partyOf
  if (!first) return [...list]
  const parties = [...Map.groupBy(list, first).values()].map((own) => inTurns(own, ...within))
  const turns: T[] = []
  for (let turn = 0, taking = parties; taking.length > 0; turn++) {
    taking = taking.filter((own) => turn < own.length)
    for (const own of taking) turns.push(...own.slice(turn, turn + 1))
  }
  return turns
}
