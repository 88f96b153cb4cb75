import { systemClock } from '../values/clock.ts'

/** How often a waiting call checks whether its turn has come. */
const LOOK_MS = 5
/** A waiting call that has not checked for this long has left the queue: its request is dead. */
const GONE_MS = 1_000

/** When a call began, last checked the queue or last gave a sign of life. */
interface Call {
  since: number
}

interface Caller {
  running: Set<Call>
  waiting: Call[]
}

interface Bounds {
  /** Calls of one caller that run at once. */
  running: number
  /** Calls of one caller that wait; further calls are refused. */
  waiting: number
  /** A call without a sign of life for this many milliseconds may belong to a dead request. */
  lostMs: number
}

/**
 * Bounds the calls that each caller has under way. A caller who floods the service queues behind their own requests, not
 * in front of everyone else's. Each call polls with its own timer, because a promise cannot pass from one request to
 * another (docs/decisions.md).
 */
export class CallerTurns {
  readonly #bounds: Bounds
  readonly #callers = new Map<string, Caller>()

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /**
   * Runs a call when its turn comes. Throws `refused()` if too many calls wait, or if this one waits longer than
   * `deadlineMs`. A long call reports that it is alive through the function passed to it.
   */
  async run<T>(
    name: string,
    deadlineMs: number,
    call: (alive: () => void) => Promise<T>,
    refused: () => Error,
  ): Promise<T> {
    const caller = this.#callers.get(name) ?? { running: new Set(), waiting: [] }
    this.#callers.set(name, caller)
    const own: Call = { since: systemClock() }
    if (caller.waiting.length === 0 && this.#mayRun(caller, 0)) caller.running.add(own)
    else await this.#wait(caller, own, deadlineMs, refused)
    try {
      return await call(() => (own.since = systemClock()))
    } finally {
      caller.running.delete(own)
      if (caller.running.size === 0 && caller.waiting.length === 0 && this.#callers.get(name) === caller)
        this.#callers.delete(name)
    }
  }

  /** Takes the turn before it returns, so that a call made in between sees it as taken. */
  async #wait(caller: Caller, own: Call, deadlineMs: number, refused: () => Error): Promise<void> {
    this.#dropGone(caller)
    if (caller.waiting.length === 0 && this.#mayRun(caller, 0)) {
      caller.running.add(own)
      return
    }
    if (caller.waiting.length >= this.#bounds.waiting) throw refused()
    caller.waiting.push(own)
    for (let waitedMs = 0; !this.#mayRun(caller, caller.waiting.indexOf(own)); waitedMs += LOOK_MS) {
      if (waitedMs >= deadlineMs) {
        caller.waiting.splice(caller.waiting.indexOf(own), 1)
        throw refused()
      }
      await new Promise((resolve) => void setTimeout(resolve, LOOK_MS))
      own.since = systemClock()
      if (!caller.waiting.includes(own)) caller.waiting.push(own)
      this.#dropGone(caller)
    }
    caller.waiting.splice(caller.waiting.indexOf(own), 1)
    caller.running.add(own)
  }

  /** `place`: the position of the call among those that wait. */
  #mayRun({ running }: Caller, place: number): boolean {
    return place < this.#bounds.running - running.size
  }

  #dropGone(caller: Caller): void {
    const now = systemClock()
    caller.waiting = caller.waiting.filter(({ since }) => Math.abs(now - since) < GONE_MS)
    for (const call of caller.running) {
      if (Math.abs(now - call.since) >= this.#bounds.lostMs) caller.running.delete(call)
    }
  }
}
