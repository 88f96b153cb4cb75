import { AsyncLocalStorage } from 'node:async_hooks'
import { onTestFinished, vi } from 'vitest'

type Timer = 'setTimeout' | 'clearTimeout' | 'setInterval' | 'clearInterval'

/** Set where a test runs, and not in requests, queue messages and objects of the Worker, which share its isolate. */
const ofTest = new AsyncLocalStorage<true>()

export const asTest = (run: () => Promise<void>): Promise<void> => ofTest.run(true, run)

/**
 * Lets the timers that the running test starts run by hand, until it ends. What the Worker does beside it keeps the real
 * ones: a timer that another request started may not run in the test's.
 */
export function fakeTimers(...toFake: (Timer | 'performance')[]): void {
  const real = { ...timersOf(globalThis) }
  vi.useFakeTimers({ toFake })
  onTestFinished(() => void vi.useRealTimers())
  const fake = { ...timersOf(globalThis) }
  for (const name of toFake) {
    if (name === 'performance') continue
    const pick = (...given: unknown[]): unknown =>
      Reflect.apply(ofTest.getStore() ? fake[name] : real[name], globalThis, given)
    Object.assign(globalThis, { [name]: pick })
  }
}

const timersOf = ({ setTimeout, clearTimeout, setInterval, clearInterval }: typeof globalThis) => ({
  setTimeout,
  clearTimeout,
  setInterval,
  clearInterval,
})
