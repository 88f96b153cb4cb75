import type { System } from '../../core/context.ts'

type Run = (system: Pick<System, 'waitUntil'>, count: number, work: Promise<void>) => Promise<void>

/**
 * Lets the work of a batch go on after the batch has ended, for at most `max` deliveries at once. Past that the batch
 * waits for its own work. The bound is of this isolate.
 */
export function beyondBatch(max: number): Run {
  let running = 0
  return async (system, count, work) => {
    if (running + count > max) return work
    running += count
    system.waitUntil(work.finally(() => (running -= count)))
  }
}
