import { CallerTurns } from '../batching/caller-turns.ts'
import { systemClock } from '../values/clock.ts'
import { busy } from './failures.ts'

/** Calls of one user that an isolate has under way to a database at once, and that wait for their turn. */
export const MAX_CALLS_OF_USER = 64
const MAX_WAITING_OF_USER = 128
/** Heavy reads among them. A database runs one at a time, and everyone else's calls wait behind each. */
export const MAX_HEAVY_CALLS_OF_USER = 2
/** A call that has run for this long may belong to a dead request. It is longer than every deadline of a call. */
const LOST_CALL_MS = 15_000
/** A call that waits longer is refused. */
const MAX_WAIT_MS = 2_000

/** The turns of the users of one database. */
export class UserTurns {
  readonly #all = turns(MAX_CALLS_OF_USER)
  readonly #heavy = turns(MAX_HEAVY_CALLS_OF_USER)

  /** Runs a call of a user in turn. 503 where too many of the user's calls wait, or this one for too long. */
  run<T>(user: string, isHeavy: boolean, call: () => Promise<T>): Promise<T> {
    const since = systemClock()
    const inTurn = (): Promise<T> => this.#all.run(user, Math.max(0, MAX_WAIT_MS - (systemClock() - since)), call, busy)
    return isHeavy ? this.#heavy.run(user, MAX_WAIT_MS, inTurn, busy) : inTurn()
  }
}

const turns = (running: number): CallerTurns =>
  new CallerTurns({ running, waiting: MAX_WAITING_OF_USER, lostMs: LOST_CALL_MS })
