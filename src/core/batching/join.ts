import type { System } from '../context.ts'

/** A group that was not sent after so many windows is left to itself: if its request was killed, it must not swallow more. */
const STALE_WINDOWS = 3

/**
 * Writes things down as they come: what comes while one commit is under way goes into the next one, together. Each
 * caller hears of the commit that its own thing was part of.
 */
export function gathering<T>(write: (things: readonly T[]) => Promise<void>): (thing: T) => Promise<void> {
  let waiting: T[] = []
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | null = null
  const flush = () => {
    const taken = waiting
    waiting = []
    next = null
    return write(taken)
  }
  return (thing) => {
    waiting.push(thing)
    if (next === null) {
      next = last.then(flush)
      last = next.catch(() => undefined)
    }
    return next
  }
}

/**
 * Joins the ids that concurrent requests of this isolate hand over within a window, so that they travel as one.
 * The first of a group carries it in its `waitUntil`; `send` gets all of its ids, and what it loses a sweep finds.
 */
export function joining(
  windowMs: number,
  send: (system: System, key: string, ids: string[]) => Promise<void>,
): (system: System, key: string, ids: readonly string[]) => void {
  const waiting = new Map<string, { ids: string[]; since: number }>()
  return (system, key, ids) => {
    if (ids.length === 0) return
    const group = waiting.get(key)
    if (group && Math.abs(system.now() - group.since) < STALE_WINDOWS * windowMs) {
      group.ids.push(...ids)
      return
    }
    const opened = { ids: [...ids], since: system.now() }
    waiting.set(key, opened)
    system.waitUntil(
      scheduler.wait(windowMs).then(() => {
        if (waiting.get(key) === opened) waiting.delete(key)
        return send(system, key, opened.ids)
      }),
    )
  }
}
