import { LIMITS } from '../../src/core/limits.ts'
import { furtherPermits } from '../../src/memory/filter/filter-permits.ts'
import { Filters } from '../../src/memory/filter/filter.ts'
import type { LoadRequest } from './load.ts'
import type { BenchUser } from './seed.ts'
import type { Texts } from './texts.ts'
import { get, post, type Compare, type Users, type WorstTable } from './worst-table.ts'

const BATCH = 50
const SHARED_WORDS = Array.from({ length: 64 }, (_, at) => `shared${at}`)
/** Of the metadata of an item: 12 KB. */
const MEMBERS = 600
/** Items with such metadata: of 100,000 it would be more than a gigabyte. */
const MAX_WITH_METADATA = 10_000
const SECONDS = 10

type Send = WorstTable['send']

/** Stores items that all have the same 64 words, and others with 600 members of metadata. */
export async function seedBudget(send: Send, { shared, members }: Users, items: number, texts: Texts): Promise<void> {
  const store = async (user: BenchUser, count: number, content: (at: number) => unknown): Promise<void> => {
    for (let at = 0; at < count; at += BATCH) {
      const operations = Array.from({ length: BATCH }, (_, nth) => ({ op: 'store', content: content(at + nth) }))
      await send(post('/api/memory/batch', { operations }), user)
    }
  }
  await store(shared, items, () => `${SHARED_WORDS.join(' ')} ${texts.text(10)}`)
  const metadata = (at: number) =>
    Object.fromEntries(Array.from({ length: MEMBERS }, (_, nth) => [`member${nth}`, (at * (nth + 3)) % 1_000_000]))
  await store(members, Math.min(items, MAX_WITH_METADATA), (at) => ({
    text: `common ${texts.text(10)}`,
    metadata: metadata(at),
  }))
}

/** A filter that no item passes, so that it looks at each of its conditions for each item. */
const comparisons = (count: number) => ({
  OR: Array.from({ length: count }, (_, at) => ({ [`metadata.member${at * 18}`]: { '>': 1_000_000 } })),
})

const search = (query: string, filters?: unknown): LoadRequest =>
  post('/api/memory/search', { query, mode: 'keyword', limit: 100, ...(filters === undefined ? {} : { filters }) })
const words = (count: number): LoadRequest => search(SHARED_WORDS.slice(0, count).join(' '))

interface Budget {
  compare: Compare
  send: Send
  users: Users
  /** Milliseconds of CPU that the runtime has used. */
  cpuMs: () => number
  runs: number
}

/** What the dearest searches cost as multiples of a usual one, in CPU of the whole runtime while nothing else runs. */
export async function compareBudget({ compare, send, users, cpuMs, runs }: Budget): Promise<void> {
  const { shared, members, other, item } = users
  for (const count of [13, 64]) {
    const as = (request: LoadRequest) => () => ({ ...request, as: 'shared' as const })
    await compare(`budget, ${count} shared words`, as(words(1)), as(words(count)))
  }
  const cost = async (request: LoadRequest, user: BenchUser): Promise<number> => {
    await send(request, user)
    const costs: number[] = []
    for (let nth = 0; nth < runs; nth++) {
      const before = cpuMs()
      await send(request, user)
      costs.push(cpuMs() - before)
    }
    return costs.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? Number.NaN
  }
  const print = (name: string, usual: number, worst: number, per = 1): void =>
    console.log(
      `${name.padEnd(60)} ${[usual, worst, worst / usual / per].map((cell) => cell.toFixed(1).padStart(10)).join(' ')}`,
    )
  console.log(
    `\n${'budget, CPU ms of a request'.padEnd(60)} ${['usual', 'worst', 'ratio'].map((head) => head.padStart(10)).join(' ')}`,
  )
  const one = await cost(words(1), shared)
  for (const count of [13, 64]) print(`${count} shared words, of 1`, one, await cost(words(count), shared))
  const unfiltered = await cost(search('common'), members)
  for (const count of [1, 2, 4, 5, 32]) {
    const filter = comparisons(count)
    const permits = 1 + furtherPermits(Filters.parse(filter))
    const name = `${count} comparisons on 12 KB, of none, per permit (${permits})`
    print(name, unfiltered, await cost(search('common', filter), members), permits)
  }

  const rate = LIMITS['memory.search'].limit / (LIMITS['memory.search'].windowMs / 1_000)
  const strangerAt95 = async (request: LoadRequest, user: BenchUser, perSecond: number): Promise<number> => {
    const answers: Promise<unknown>[] = []
    const sending = setInterval(() => void answers.push(send(request, user).catch(() => undefined)), 1_000 / perSecond)
    const times: number[] = []
    const until = performance.now() + SECONDS * 1_000
    while (performance.now() < until) times.push((await send(get(`/api/memory/retrieve?id=${item}`), other)).ms)
    clearInterval(sending)
    await Promise.all(answers)
    return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN
  }
  const beside = await strangerAt95(words(1), shared, rate)
  for (const count of [13, 64])
    print(`a stranger's p95 beside ${count} shared words, of 1`, beside, await strangerAt95(words(count), shared, rate))
  const plain = await strangerAt95(search('common'), members, rate)
  for (const count of [4, 32]) {
    const filter = comparisons(count)
    const permits = 1 + furtherPermits(Filters.parse(filter))
    const p95 = await strangerAt95(search('common', filter), members, rate / permits)
    print(`a stranger's p95 beside ${count} comparisons, of none`, plain, p95)
  }
}
