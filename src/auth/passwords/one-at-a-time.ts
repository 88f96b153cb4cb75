/** A request that dies in the middle takes its promise with it: nobody waits longer than this for the one before. */
const PATIENCE_MS = 5_000

/**
 * Runs the works that it is given one after the other, in order. While `maxWaiting` are in line,
 * a further one is refused with the error of `full`.
 */
export function oneAtATime(maxWaiting: number, full: () => Error): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return async (work) => {
    if (waiting >= maxWaiting) throw full()
    waiting += 1
    const mine = patiently(last).then(() => {
      waiting -= 1
      return work()
    })
    last = mine.catch(() => {})
    return mine
  }
}

async function patiently(before: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS)
  })
  await Promise.race([before, patience])
  clearTimeout(timer)
}
