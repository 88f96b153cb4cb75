import { systemClock } from '../values/clock.ts'

/** How often a request looks whether the batch that it has joined is back … */
const LOOK_MS = 2
/** … after as long as the last one took, but at most this. */
const MAX_FIRST_LOOK_MS = 20
/** A batch that has not left or come back by then holds up nobody else, and nobody joins it: its request may have died. */
const STALE_MS = 1_000
/** Longer than the deadline of a write: whoever follows a dead request has been answered by then. */
const LOST_MS = 15_000

type Outcome = { results: D1Result[] } | { error: unknown }

interface Group {
  /** Each member's statements. */
  members: D1PreparedStatement[][]
  statements: number
  /** When it was opened or, later, sent. */
  since: number
  /** Of the members, in their order. */
  outcomes: Outcome[] | null
}

/** Keeps a request alive until its work for others is done. */
export type KeepAlive = Pick<ExecutionContext, 'waitUntil'>

interface Sharing {
  /** How long a batch waits for company while another is on its way. */
  gatherMs: number
  /** What goes together at most. */
  statements: number
  /** Only reads, which may be sent again whatever became of them. */
  repeatable: boolean
}

/**
 * Small batches of concurrent requests of this isolate as one batch of D1: a round trip for many costs the database and us
 * little more than one for a single request. Who comes alone does not wait. Where SQLite refuses a statement, and after any
 * error of what only reads, each member is run alone, so that nobody hears of another's; a lost commit is lost for all.
 *
 * No promise passes from one request to another: workerd goes on in the wrong request where such code runs hot. The first
 * of a group leads it, the others look by timers of their own.
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
    const group = { members: [statements], statements: statements.length, since: systemClock(), outcomes: null }
    const work = this.#lead(group)
    request.waitUntil(work)
    await work
    return resultsOf(group, 0)
  }

  async #follow(group: Group, statements: D1PreparedStatement[]): Promise<D1Result[]> {
    const place = group.members.push(statements) - 1
    group.statements += statements.length
    await wait(Math.min(this.#sharing.gatherMs + this.#lastMs, MAX_FIRST_LOOK_MS))
    while (!group.outcomes && ageOf(group) < LOST_MS) await wait(LOOK_MS)
    return resultsOf(group, place)
  }

  async #lead(group: Group): Promise<void> {
    if (this.#sent && isLive(this.#sent)) {
      this.#open = group
      await wait(this.#sharing.gatherMs)
      if (this.#open === group) this.#open = null
    }
    this.#sent = group
    group.since = systemClock()
    group.outcomes = await this.#send(group.members)
    this.#lastMs = systemClock() - group.since
    if (this.#sent === group) this.#sent = null
  }

  async #send(members: readonly D1PreparedStatement[][]): Promise<Outcome[]> {
    try {
      const results = await this.#d1.batch(members.flat())
      let from = 0
      return members.map(({ length }) => ({ results: results.slice(from, (from += length)) }))
    } catch (error) {
      if (members.length === 1 || !(this.#sharing.repeatable || isOfStatement(error)))
        return members.map(() => ({ error }))
      const outcomes: Outcome[] = []
      for (const member of members) outcomes.push(...(await this.#send([member])))
      return outcomes
    }
  }
}

function resultsOf({ outcomes }: Group, place: number): D1Result[] {
  const outcome = outcomes?.[place]
  if (!outcome) throw new Error('the request that led this batch is gone')
  if ('error' in outcome) throw outcome.error
  return outcome.results
}

/** SQLite itself refused a statement, so nothing is committed; after any other error nobody knows. */
const isOfStatement = (error: unknown): boolean => error instanceof Error && error.message.includes('SQLITE_')

const ageOf = ({ since }: Group): number => Math.abs(systemClock() - since)

const isLive = (group: Group): boolean => ageOf(group) < STALE_MS

const wait = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))
