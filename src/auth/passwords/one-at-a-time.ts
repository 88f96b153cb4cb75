/** A request that is cut off never settles its promise: the next one starts after this long, in milliseconds. */
const MAX_WAIT_MS = 5_000

/**
 * Answers a function that runs work one at a time, in the order of its calls. While `maxWaiting` calls wait for their
 * turn, it refuses a further one with the error of `full`.
 */
export function oneAtATime(maxWaiting: number, full: () => Error): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return async (work) => {
    if (waiting >= maxWaiting) throw full()
    waiting += 1
    const mine = settledOrTimeout(last).then(() => {
      waiting -= 1
      return work()
    })
    last = mine.catch(() => {})
    return mine
  }
}

async function settledOrTimeout(before: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, MAX_WAIT_MS)
  })
  await Promise.race([before, timeout])
  clearTimeout(timer)
}
