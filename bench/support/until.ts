const STALLED_MS = 60_000

/** Waits for `done`. Throws where the count of `progress` does not change for a minute. */
export async function until(what: string, done: () => boolean, progress: () => number = () => 0): Promise<void> {
  let last = { count: progress(), at: performance.now() }
  while (!done()) {
    await new Promise((resolve) => setTimeout(resolve, 1))
    const [count, at] = [progress(), performance.now()]
    if (count !== last.count) last = { count, at }
    else if (at - last.at > STALLED_MS) throw new Error(`${what}: nothing for ${STALLED_MS} ms, ${count} so far`)
  }
}
