import { ModelDown } from '../core/embedding.ts'
import { MINUTE_MS, SECOND_MS } from '../core/values/durations.ts'

/** No call asks a model that is down for this long. Then one call finds out whether it answers. */
const PAUSE_MS = 5 * SECOND_MS
/** A longer `Retry-After` of the model counts as this. */
const MAX_PAUSE_MS = 30 * MINUTE_MS

/** When an isolate asks a model that has failed again. */
export class Pause {
  #from = 0
  /** 0: the model has answered since. Else it is in doubt behind the pause, until it answers. */
  #ms = 0
  #cause: unknown

  /** What a call throws instead of asking the model; null where it may be asked. */
  down(now: number): ModelDown | null {
    const passed = now - this.#from
    const leftMs = passed >= 0 && passed < this.#ms ? this.#ms - passed : 0
    return leftMs > 0 ? new ModelDown('the model was down a moment ago', leftMs, { cause: this.#cause }) : null
  }

  /** Answers how long it lasts. */
  begin(now: number, cause: unknown, retryAfterMs = 0): number {
    this.#from = now
    this.#cause = cause
    return (this.#ms = Math.min(MAX_PAUSE_MS, Math.max(PAUSE_MS, retryAfterMs)))
  }

  /** A call asks a model that is in doubt. The other calls wait for its answer, but no longer than a pause. */
  extendWhileInDoubt(now: number): void {
    if (this.#ms > 0) this.begin(now, this.#cause)
  }

  /** The model has answered. */
  end(): void {
    this.#ms = 0
  }
}
