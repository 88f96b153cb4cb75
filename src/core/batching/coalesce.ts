import type { System } from '../context.ts'

/** After so many windows a group is left alone: its request may have been killed, and the group must not swallow more. */
const STALE_WINDOWS = 3

/**
 * Coalesces ids: what concurrent requests of this isolate hand over within a window is sent together.
 * The first request of a group carries the group in its `waitUntil`. A sweep finds what a failed `send` loses.
 */
export function coalesce(
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
