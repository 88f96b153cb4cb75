/**
 * Group commit: entries that arrive while a commit is under way go into the next commit together.
 * Each caller gets the result of the commit that held its own entry.
 */
export function groupCommit<T>(write: (things: readonly T[]) => Promise<void>): (thing: T) => Promise<void> {
  let waiting: T[] = []
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | null = null
  const commit = () => {
    const together = waiting
    waiting = []
    next = null
    return write(together)
  }
  return (thing) => {
    waiting.push(thing)
    if (next === null) {
      next = last.then(commit)
      last = next.catch(() => undefined)
    }
    return next
  }
}
