import { ALONE_PATH, ROWS_PATH, type Call, type RowsRead } from './rows-read.ts'
import type { LoadRequest } from './load.ts'
import type { BenchUser } from './seed.ts'

export interface Users {
  caller: BenchUser
  /** Retrieves an item while the caller's requests run. */
  other: BenchUser
  item: string
  /** Has items with as much metadata as they may have. */
  heavy: BenchUser
  /** Has items of the widest texts. */
  large: BenchUser
  /** Has a project with as many members as an item may have grants. */
  owner: BenchUser
  /** Has items that share 64 words. */
  shared: BenchUser
  /** Has items with 600 members of metadata. */
  members: BenchUser
}

/** The request of a run, by `caller` unless it says so. Its preparation is not measured. */
export type Next = () => Sent | Promise<Sent>
type Sent = LoadRequest & { as?: 'heavy' | 'large' | 'owner' | 'shared' | 'members' }

/** Compares a usual request and the dearest one; `per`: how many items or operations both are of. */
export type Compare = (name: string, usual: Next, worst: Next, per?: number) => Promise<void>

export const post = (path: string, body: unknown): LoadRequest => ({ method: 'POST', path, body: JSON.stringify(body) })
export const get = (path: string): LoadRequest => ({ method: 'GET', path })

interface Measured {
  isRead: boolean
  /** The median of some runs, in milliseconds. */
  ms: number
  /** The slowest retrieve of another user meanwhile, in milliseconds. */
  other: number
  /** Rows of D1 that the first run reads, while no other request runs. */
  rows: number
  /** The dearest calls to D1 of the first run, while nothing else runs. */
  dearest: Call[]
  /** The dearest calls of the consumers that embed what it stored. */
  dearestOfConsumers: Call[]
}

const HEADS = [
  'median',
  'worst',
  'ratio',
  'at median',
  'at worst',
  'rows',
  'worst rows',
  'call',
  'worst call',
  'consumer',
]
const NAME_WIDTH = 46
const CELL_WIDTH = 10

/** Measures two requests of a kind and prints a line of each pair. */
export class WorstTable {
  readonly #url: string
  readonly #cpuUrl: string
  readonly #untilEmbedded: () => Promise<unknown>
  readonly #runs: number
  readonly #only: string
  readonly #calls: boolean
  /** The dearest call of a read so far, and of what. */
  #dearestRead = { cpuMs: 0, name: '' }

  constructor(
    { url, cpuUrl, untilEmbedded }: { url: string; cpuUrl: string; untilEmbedded: () => Promise<unknown> },
    { runs, only, calls }: { runs: number; only: string; calls: boolean },
  ) {
    this.#url = url
    this.#cpuUrl = cpuUrl
    this.#untilEmbedded = untilEmbedded
    this.#runs = runs
    this.#only = only
    this.#calls = calls
  }

  /** Sends a request as a user and reads the whole answer. Throws where it is no success. */
  send = async ({ method, path, body }: LoadRequest, { session }: BenchUser): Promise<{ ms: number; text: string }> => {
    const type = path.endsWith('import') ? 'application/x-ndjson' : 'application/json'
    const headers = { 'X-Session-Token': session, ...(body === undefined ? {} : { 'Content-Type': type }) }
    const startedAt = performance.now()
    const answer = await fetch(this.#url + path, { method, headers, ...(body === undefined ? {} : { body }) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path.slice(0, 80)}: ${answer.status} ${text.slice(0, 300)}`)
    return { ms: performance.now() - startedAt, text }
  }

  printHead(items: number): void {
    console.log(
      `${items} items; ms p50 of ${this.#runs} runs; at: slowest retrieve of another user meanwhile; rows: read of D1 by the first run; call: CPU of its dearest call to D1; consumer: the same of the consumers that embed the worst`,
    )
    console.log(`${'request'.padEnd(NAME_WIDTH)} ${HEADS.map((head) => head.padStart(CELL_WIDTH)).join(' ')}`)
  }

  comparing(users: Users): Compare {
    return async (name, usual, worst, per = 1) => {
      if (!name.includes(this.#only)) return
      const [ofUsual, ofWorst] = [await this.#measure(usual, users), await this.#measure(worst, users)]
      print(name, ofUsual, ofWorst, per)
      this.#keepDearest(name, ofWorst)
      if (this.#calls) for (const measured of [ofUsual, ofWorst]) printCalls(measured)
    }
  }

  #keepDearest(name: string, { isRead, dearest: [call] }: Measured): void {
    if (isRead && call && call.cpuMs > this.#dearestRead.cpuMs) this.#dearestRead = { cpuMs: call.cpuMs, name }
  }

  printDearestRead(): void {
    const { cpuMs, name } = this.#dearestRead
    console.log(`dearest call of a read: ${cpuMs.toFixed(1)} ms (${name})`)
  }

  async #measure(next: Next, users: Users): Promise<Measured> {
    const run = async (request: Sent) => (await this.send(request, users[request.as ?? 'caller'])).ms
    const first = await next()
    await this.#untilEmbedded()
    const counting = `?${new URLSearchParams({ cpu: this.#cpuUrl }).toString()}`
    await this.#ask(ALONE_PATH + counting)
    await run(first)
    const { rows, dearest } = await this.#ask(ROWS_PATH + counting)
    await this.#untilEmbedded()
    const { dearestOfConsumers } = await this.#ask(ROWS_PATH)
    const running = new AbortController()
    let other = 0
    const retrieving = (async () => {
      while (!running.signal.aborted) {
        const { ms } = await this.send(get(`/api/memory/retrieve?id=${users.item}`), users.other)
        other = Math.max(other, ms)
      }
    })()
    const times: number[] = []
    for (let nth = 0; nth < this.#runs; nth++) times.push(await run(await next()))
    running.abort()
    await retrieving
    const isRead = first.method === 'GET' || first.path === '/api/memory/search'
    return { isRead, ms: median(times), other, rows, dearest, dearestOfConsumers }
  }

  /** The rows that were read since the last call. */
  async #ask(path: string): Promise<RowsRead> {
    return (await fetch(this.#url + path)).json() as Promise<RowsRead>
  }
}

const median = (all: number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN

function print(name: string, usual: Measured, worst: Measured, per: number): void {
  const times = [usual.ms / per, worst.ms / per, worst.ms / usual.ms, usual.other, worst.other]
  const rows = [usual.rows / per, worst.rows / per].map((cell) => cell.toFixed(per > 1 ? 1 : 0))
  const calls = [usual.dearest, worst.dearest, worst.dearestOfConsumers].map(([call]) => (call?.cpuMs ?? 0).toFixed(1))
  const cells = [...times.map((cell) => cell.toFixed(per > 1 && cell < 10 ? 3 : 1)), ...rows, ...calls]
  console.log(`${name.padEnd(NAME_WIDTH)} ${cells.map((cell) => cell.padStart(CELL_WIDTH)).join(' ')}`)
}

function printCalls({ dearest, dearestOfConsumers }: Measured): void {
  for (const [who, calls] of Object.entries({ request: dearest, consumer: dearestOfConsumers })) {
    for (const { cpuMs, sql } of calls) console.log(`    ${who} ${cpuMs.toFixed(1)} ms: ${sql}`)
  }
}
