import type { System } from '../context.ts'
import type { Queues } from '../ports.ts'

/** After this many windows no request joins a group: its own request may be dead, and more ids would be lost with it. */
const STALE_WINDOWS = 3

/**
 * Coalesces ids: what concurrent requests of this isolate hand over within a window is sent together.
 * The first request of a group carries the group in its `waitUntil`.
 */
export function coalesce(
  windowMs: number,
  send: (system: System, key: string, ids: string[]) => Promise<unknown>,
): (system: System, key: string, ids: readonly string[]) => void {
  // A group goes out over the queues of the request that opened it, so only requests with the same queues join it.
  const groups = new WeakMap<Queues, Map<string, { ids: string[]; since: number }>>()
  return (system, key, ids) => {
    if (ids.length === 0) return
    const waiting = groups.get(system.queues) ?? new Map<string, { ids: string[]; since: number }>()
    groups.set(system.queues, waiting)
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
