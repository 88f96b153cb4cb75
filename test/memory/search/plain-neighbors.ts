import { LENDERS, LENT_SHARES } from '../../../src/memory/search/neighbors-lend-sql.ts'
import { TURNS_LOOKED_AT } from '../../../src/memory/search/neighbors-sql.ts'

/** An item that is not deleted. */
export interface Turn {
  row: number
  id: string
  conversation: string | null
  namespace: string
  /** `occurred_at`, else `created_at`. */
  at: number
  /** It has not expired, and the caller may read it. */
  readable: boolean
  /** It is in the namespaces that are searched, and passes the filters. */
  passes: boolean
}

export interface LendInput {
  /** What the search found, best first, before neighbours and age count. */
  results: readonly { row: number; score: number }[]
  turns: readonly Turn[]
  threshold: number | null
  recency: { weight: number; halfLifeMs: number } | null
  now: number
  limit: number
}

export interface Lent {
  row: number
  score: number
  gain: number
}

/** What the search statement computes in SQL of neighbours and age, written plainly. The tests hold it against this. */
export function lend({ results, turns, threshold, recency, now, limit }: LendInput): Lent[] {
  const turnOf = (row: number): Turn => {
    const found = turns.find((turn) => turn.row === row)
    if (!found) throw new Error('every result is a turn')
    return found
  }
  const scores = new Map(results.map(({ row, score }) => [row, score]))
  const gainOf = (turn: Turn, lenders: ReadonlyMap<number, number>): number =>
    Math.max(
      0,
      ...neighborsOf(turns, turn).map(
        ({ turn: { row }, distance }) => (LENT_SHARES[distance - 1] ?? 0) * (lenders.get(row) ?? 0),
      ),
    )
  const best = new Map(results.slice(0, LENDERS).map(({ row, score }) => [row, score]))
  const others = new Map(
    results
      .slice(0, LENDERS)
      .flatMap(({ row }) => neighborsOf(turns, turnOf(row)))
      .filter(({ turn }) => turn.passes && !scores.has(turn.row) && threshold === null)
      .map(({ turn }) => [turn.row, turn]),
  )
  const lent = [
    ...results.map(({ row, score }) => ({ row, score, gain: gainOf(turnOf(row), scores) })),
    ...[...others.values()].map((turn) => ({ row: turn.row, score: 0, gain: gainOf(turn, best) })),
  ]
  return lent
    .map((one) => {
      const score = Math.min(1, one.score + one.gain)
      if (!recency) return { ...one, score }
      const age = Math.max(0, now - turnOf(one.row).at)
      return { ...one, score: (1 - recency.weight) * score + recency.weight * 0.5 ** (age / recency.halfLifeMs) }
    })
    .sort((a, b) => b.score - a.score || b.row - a.row)
    .slice(0, limit)
}

const inOrder = (a: Turn, b: Turn): number => a.at - b.at || (a.id < b.id ? -1 : 1)

/** The next three readable items on each side, as far as they are among the first few that stand there. */
export function neighborsOf(turns: readonly Turn[], turn: Turn): { turn: Turn; distance: number }[] {
  if (turn.conversation === null) return []
  const talk = turns
    .filter((one) => one.conversation === turn.conversation && one.namespace === turn.namespace)
    .sort(inOrder)
  const at = talk.indexOf(turn)
  const sides = [talk.slice(0, at).toReversed(), talk.slice(at + 1)]
  return sides.flatMap((side) =>
    side
      .slice(0, TURNS_LOOKED_AT)
      .filter((one) => one.readable)
      .slice(0, LENT_SHARES.length)
      .map((one, at) => ({ turn: one, distance: at + 1 })),
  )
}
