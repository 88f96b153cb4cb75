const TRIES = 20

/** Milliseconds of the fastest try: a busy machine proves nothing. The first try within the budget is the last. */
export async function fastest(budgetMs: number, work: () => unknown): Promise<number> {
  let best = Infinity
  for (let tries = 0; tries < TRIES && best >= budgetMs; tries += 1) best = Math.min(best, await timeOf(1, work))
  return best
}

/** Enough of a clock that counts milliseconds. */
const MEASURABLE_MS = 8
/** Above what is linear, and half of what is quadratic. */
export const LINEAR = 5

/**
 * How many times as long the work takes on `length` units of repeated `piece` as on a tenth of them, ten times over: about
 * 1 where its time grows with the length, 10 where with the square. Measured anew while the machine may be to blame.
 */
export async function growthOf(piece: string, length: number, work: (text: string) => unknown): Promise<number> {
  const [small, large] = [length / 10, length].map((units) => piece.repeat(Math.ceil(units / piece.length)))
  let runs = 1
  let [ofSmall, ofLarge] = [Infinity, Infinity]
  for (let tries = 0; tries < 3 || (tries < TRIES && ofLarge > LINEAR * ofSmall); tries += 1) {
    ofSmall = Math.min(ofSmall, await timeOf(10 * runs, () => work(small!)))
    ofLarge = Math.min(ofLarge, await timeOf(runs, () => work(large!)))
    // Too short for the clock, even where the machine was busy at first: more runs, and all of it anew.
    if (ofSmall < MEASURABLE_MS && runs < 1_000) [runs, tries, ofSmall, ofLarge] = [2 * runs, -1, Infinity, Infinity]
  }
  // Of no measurable time, nothing can be said and nothing is wrong.
  return ofLarge / Math.max(ofSmall, 1)
}

async function timeOf(runs: number, work: () => unknown): Promise<number> {
  const before = performance.now()
  for (let run = 0; run < runs; run += 1) await work()
  return performance.now() - before
}
