import { problemOf, TimeoutError } from './errors.ts'

/** Ends a call at its time-out, or when the caller's signal says so. */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #ms: number
  readonly #outer: AbortSignal | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #dueAt = 0

  constructor(ms: number, outer?: AbortSignal) {
    this.#ms = ms
    this.#outer = outer
    if (outer?.aborted) this.#follow()
    else outer?.addEventListener('abort', this.#follow)
    this.start()
  }

  /** With a `TimeoutError`, or the reason of the caller's signal. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get remainingMs(): number {
    return this.#dueAt - performance.now()
  }

  /** Restarts the count: a stream may last, but not be silent, this long. */
  start(): void {
    this.pause()
    this.#dueAt = performance.now() + this.#ms
    this.#timer = setTimeout(() => {
      this.#controller.abort(new TimeoutError(problemOf('timed_out', `No response within ${this.#ms} ms.`)))
    }, this.#ms)
  }

  /** Counts nothing while the caller works on what came. */
  pause(): void {
    clearTimeout(this.#timer)
  }

  end(): void {
    this.pause()
    this.#outer?.removeEventListener('abort', this.#follow)
  }

  /** The result of `work`, or a failure at the deadline, even where `work` does not heed the signal. */
  race<T>(work: Promise<T>): Promise<T> {
    const { signal } = this
    return new Promise<T>((resolve, reject) => {
      const fail = () => reject(signal.reason)
      if (signal.aborted) fail()
      signal.addEventListener('abort', fail)
      work.then(resolve, reject).finally(() => signal.removeEventListener('abort', fail))
    })
  }

  readonly #follow = () => this.#controller.abort(this.#outer?.reason)
}
