/**
 * Shares a budget among the first entries that fit with what each needs at least; one is always among them. What is left
 * goes to all in equal shares, of which none gets more than it needs as a whole. Answers the share of each.
 */
export function allot(entries: readonly { least: number; whole: number }[], budget: number): number[] {
  let left = budget
  const end = entries.findIndex(({ least }, at) => {
    left -= least
    return left < 0 && at > 0
  })
  const fitting = entries.slice(0, end === -1 ? entries.length : end)
  const shares = fitting.map(({ least }) => least)
  left = Math.max(0, budget - sum(shares))
  const byNeed = fitting
    .map(({ least, whole }, at) => ({ at, more: whole - least }))
    .toSorted((a, b) => a.more - b.more)
  for (const [index, { at, more }] of byNeed.entries()) {
    const share = Math.min(more, Math.floor(left / (byNeed.length - index)))
    shares[at] = (shares[at] ?? 0) + share
    left -= share
  }
  return shares
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
