import { systemClock } from '../values/clock.ts'
import { isFull, isRefused } from '../database/d1-errors.ts'
import { within } from '../values/deadline.ts'

/** After the first look, a leader and a follower look this often whether the batch that they wait for is back. */
const LOOK_MS = 2
/** The longest wait before a follower first looks. Otherwise it looks when its batch should be back. */
const MAX_FIRST_LOOK_MS = 20
/** A batch that is not back by then may belong to a dead request: nobody joins it, and it delays nobody. */
const STALE_MS = 1_000

type MemberResult = { results: D1Result[] } | { error: unknown }

interface Group {
  /** Each member's statements. */
  members: D1PreparedStatement[][]
  statements: number
  /** The instant at which it was opened or, later, sent. */
  since: number
  /** Of the members, in their order; null until the batch is back. */
  results: MemberResult[] | null
}

/** Keeps the request alive that leads a batch, until the batch is back. */
export type KeepAlive = Pick<ExecutionContext, 'waitUntil'>

interface Sharing {
  /** While one batch is on its way, the next one waits for more members, at most this long. */
  gatherMs: number
  /** A batch holds at most this many statements. */
  statements: number
  /** The statements only read, so they may be sent again after any error. */
  repeatable: boolean
  /** A member waits this long for its results, and then gets the error `late()`. */
  deadlineMs: number
  late: () => Error
}

/**
 * Sends small batches of concurrent requests of this isolate as one batch of D1. The first request of a group leads it.
 * The followers look by their own timers, as no promise may pass from one request to another (docs/decisions.md). So only
 * the leader needs a timer for its deadline. Two timers took a search 6 % of its CPU.
 */
export class SharedBatch {
  readonly #d1: D1Database
  readonly #sharing: Sharing
  #open: Group | null = null
  #sent: Group | null = null
  #lastMs = 0

  constructor(d1: D1Database, sharing: Sharing) {
    this.#d1 = d1
    this.#sharing = sharing
  }

  /** Results of these statements. */
  async run(statements: D1PreparedStatement[], request: KeepAlive): Promise<D1Result[]> {
    const open = this.#open
    if (open && isLive(open) && open.statements + statements.length <= this.#sharing.statements) {
      return this.#follow(open, statements)
    }
    const group = { members: [statements], statements: statements.length, since: systemClock(), results: null }
    const work = this.#lead(group)
    request.waitUntil(work)
    await within(this.#sharing.deadlineMs, work, this.#sharing.late)
    return resultsOf(group, 0)
  }

  async #follow(group: Group, statements: D1PreparedStatement[]): Promise<D1Result[]> {
    const { deadlineMs, late } = this.#sharing
    const joinedAt = systemClock()
    const index = group.members.push(statements) - 1
    group.statements += statements.length
    const backAt = group.since + this.#expectedGatherMs(group) + this.#lastMs
    await wait(between(LOOK_MS, backAt - joinedAt, MAX_FIRST_LOOK_MS))
    while (!group.results) {
      if (msSince(joinedAt) >= deadlineMs) throw late()
      await wait(LOOK_MS)
    }
    return resultsOf(group, index)
  }

  async #lead(group: Group): Promise<void> {
    if (this.#sent && isLive(this.#sent)) {
      this.#open = group
      await this.#gather(group)
      if (this.#open === group) this.#open = null
    }
    this.#sent = group
    group.since = systemClock()
    group.results = await this.#send(group.members)
    this.#lastMs = systemClock() - group.since
    if (this.#sent === group) this.#sent = null
  }

  /** Waits for members until the batch on its way is back. Then a longer wait would leave the database idle. */
  async #gather(group: Group): Promise<void> {
    let waited = this.#expectedGatherMs(group)
    await wait(waited)
    for (; this.#sent && waited < this.#sharing.gatherMs; waited += LOOK_MS) await wait(LOOK_MS)
  }

  /** How long an open group should wait: until the batch on its way has taken as long as the last one did. */
  #expectedGatherMs(group: Group): number {
    const sentAt = this.#sent?.since ?? group.since
    return between(LOOK_MS, sentAt + this.#lastMs - group.since, this.#sharing.gatherMs)
  }

  /**
   * Where D1 refuses a statement, each member is run alone, so that no member gets the error of another. A full database
   * still takes deletions. Reads do so after any error. Otherwise nobody knows whether the commit took place: all members fail.
   */
  async #send(members: readonly D1PreparedStatement[][]): Promise<MemberResult[]> {
    try {
      const results = await this.#d1.batch(members.flat())
      let from = 0
      return members.map(({ length }) => ({ results: results.slice(from, (from += length)) }))
    } catch (error) {
      if (members.length === 1 || !(this.#sharing.repeatable || isRefused(error) || isFull(error)))
        return members.map(() => ({ error }))
      const results: MemberResult[] = []
      for (const member of members) results.push(...(await this.#send([member])))
      return results
    }
  }
}

function resultsOf({ results }: Group, index: number): D1Result[] {
  const own = results?.[index]
  if (!own) throw new Error('a batch has a result for each member')
  if ('error' in own) throw own.error
  return own.results
}

/** Milliseconds since an instant. The clock may be set back. */
const msSince = (instant: number): number => Math.abs(systemClock() - instant)

const isLive = (group: Group): boolean => msSince(group.since) < STALE_MS

const between = (least: number, value: number, most: number): number => Math.min(Math.max(value, least), most)

const wait = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))
