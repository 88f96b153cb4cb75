/**
 * `npm run bench:worst [-- --items 10000 --runs 7]`
 *
 * The dearest legal request of each endpoint with a bounded answer against a median one with the same limit: one project
 * with 10,000 items, which are stored through the API. While a request runs, a second user retrieves an item over and
 * over, and the slowest of these answers tells how long the database was held. It prints figures, never a verdict.
 */
import { parseArgs } from 'node:util'
import { startServer } from '../test/e2e/support/server.ts'
import type { LoadRequest } from './support/load.ts'
import { seedUsers, waitUntilEmbedded, type BenchUser } from './support/seed.ts'
import { Texts } from './support/texts.ts'
import { listRequests, MEDIAN_FILTER, seedItem, WORST_FILTERS, worstList } from './support/worst-requests.ts'

const { values } = parseArgs({
  options: { items: { type: 'string', default: '10000' }, runs: { type: 'string', default: '7' } },
})
const items = Number(values.items)
const runs = Number(values.runs)
const BATCH = 50
const texts = new Texts(1)
/** With it no limit refuses one user. */
const server = await startServer({ vars: { LIMITS_FACTOR: '1000' }, staticAssets: false })

async function send(
  { method, path, body }: LoadRequest,
  { session }: BenchUser,
): Promise<{ ms: number; text: string }> {
  const type = path.endsWith('import') ? 'application/x-ndjson' : 'application/json'
  const headers = { 'X-Session-Token': session, ...(body === undefined ? {} : { 'Content-Type': type }) }
  const startedAt = performance.now()
  const answer = await fetch(server.url + path, { method, headers, ...(body === undefined ? {} : { body }) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path.slice(0, 80)}: ${answer.status} ${text.slice(0, 300)}`)
  return { ms: performance.now() - startedAt, text }
}

const median = (all: number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN

/** The median of some runs, and the slowest retrieve of another user meanwhile, in milliseconds. */
async function measure(next: () => LoadRequest, users: Users): Promise<{ ms: number; other: number }> {
  await send(next(), users.caller)
  const running = new AbortController()
  let other = 0
  const retrieving = (async () => {
    while (!running.signal.aborted) {
      const { ms } = await send({ method: 'GET', path: `/api/memory/retrieve?id=${users.item}` }, users.other)
      other = Math.max(other, ms)
    }
  })()
  const times: number[] = []
  for (let run = 0; run < runs; run++) times.push((await send(next(), users.caller)).ms)
  running.abort()
  await retrieving
  return { ms: median(times), other }
}

interface Users {
  caller: BenchUser
  other: BenchUser
  item: string
}

const post = (path: string, body: unknown): LoadRequest => ({ method: 'POST', path, body: JSON.stringify(body) })
const get = (path: string): LoadRequest => ({ method: 'GET', path })

async function seed(): Promise<Users> {
  const [caller, , other] = await seedUsers(server.url, 4)
  if (!caller || !other) throw new Error('users are made in pairs')
  for (let at = 0; at < items; at += BATCH) {
    const operations = Array.from({ length: BATCH }, (_, nth) => seedItem(at + nth, `common ${texts.text(40)}`))
    await send(post('/api/memory/batch', { operations }), caller)
  }
  const { text } = await send(post('/api/memory/store', { content: 'of another user' }), other)
  await waitUntilEmbedded(server, 900)
  return { caller, other, item: (JSON.parse(text) as { id: string }).id }
}

function print(
  name: string,
  usual: { ms: number; other: number },
  worst: { ms: number; other: number },
  per = 1,
): void {
  const cells = [usual.ms / per, worst.ms / per, worst.ms / usual.ms, usual.other, worst.other]
  console.log(
    `${name.padEnd(40)} ${cells.map((cell) => cell.toFixed(per > 1 && cell < 10 ? 3 : 1).padStart(10)).join(' ')}`,
  )
}

try {
  const users = await seed()
  const compare = async (name: string, usual: () => LoadRequest, worst: () => LoadRequest, per = 1): Promise<void> =>
    print(name, await measure(usual, users), await measure(worst, users), per)
  console.log(
    `${items} items; ms p50 of ${runs} runs; the last two columns: slowest retrieve of another user meanwhile`,
  )
  console.log(
    `${'request'.padEnd(40)} ${['median', 'worst', 'ratio', 'at median', 'at worst'].map((head) => head.padStart(10)).join(' ')}`,
  )

  const usualList = new URLSearchParams({ limit: '100', filters: JSON.stringify(MEDIAN_FILTER) })
  const search = (mode: string, filters: unknown, words: string) =>
    post('/api/memory/search', { query: words, mode, limit: 100, filters })
  const longest = (): string => `common ${texts.text(2_000)}`.slice(0, 4_096)
  for (const [kind, filter] of Object.entries(WORST_FILTERS)) {
    await compare(
      `list, ${kind}`,
      () => get(`/v1/memory/items?${usualList}`),
      () => get(`/v1/memory/items?${worstList(filter)}`),
    )
    const without = new URLSearchParams({ limit: '100', filters: JSON.stringify(filter), q: 'common' })
    await compare(
      `list with q, ${kind}`,
      () => get(`/v1/memory/items?${usualList}&q=common`),
      () => get(`/v1/memory/items?${without}`),
    )
    await compare(
      `bulk delete (dry run), ${kind}`,
      () => post('/v1/memory/delete', { filters: MEDIAN_FILTER, dry_run: true }),
      () => post('/v1/memory/delete', { filters: filter, dry_run: true }),
    )
    for (const mode of ['hybrid', 'semantic', 'keyword']) {
      await compare(
        `search ${mode}, ${kind}`,
        () => search(mode, MEDIAN_FILTER, `common ${texts.text(4)}`),
        () => search(mode, filter, longest()),
      )
    }
  }
  for (const { name, median: usual, worst } of listRequests()) {
    try {
      await compare(
        name,
        () => usual,
        () => worst,
      )
    } catch (error) {
      console.log(`${name.padEnd(40)} not measured: ${String(error).slice(0, 100)}`)
    }
  }
  const batch = (text: () => string) => () =>
    post('/api/memory/batch', { operations: Array.from({ length: BATCH }, (_, at) => seedItem(at, text())) })
  await compare(
    'batch, per operation',
    batch(() => texts.text(40)),
    batch(() => texts.text(400)),
    BATCH,
  )
  await compare(
    'export, per item',
    () => get('/v1/memory/export?namespace=default'),
    () => get('/v1/memory/export?namespace=*'),
    items,
  )
} finally {
  await server.stop()
}
