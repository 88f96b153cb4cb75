/**
 * `npm run bench [-- --items 10000,100000 --seconds 5 --clients 1,16,64 --users 200 --callers 200 --only retrieve]`
 *
 * Measures rate and latency at the Worker, in workerd itself, without the proxy of `wrangler dev`: 200 users with five
 * keys each, two users to a project. All checks are on (`LIMITS_FACTOR` multiplies the limits), audit and events too. Only
 * static assets are off, which the platform serves itself. Each query is new, so a search includes its embedding.
 * It prints figures and their ratio to the floor of the platform, never a verdict. A shared machine changes its speed
 * within minutes, so the floor of a ratio is measured right before and right after the operation.
 * The objects of a user and of a project leave memory after ten seconds without a request. Let fewer users call where
 * there are many, or the figures include objects that wake.
 */
import { parseArgs } from 'node:util'
import { startServer, type Server } from '../test/e2e/support/server.ts'
import { startFloor } from './support/floor.ts'
import { load, type Figures, type LoadRequest } from './support/load.ts'
import { seedItems, seedUsers, waitUntilEmbedded, type BenchUser } from './support/seed.ts'
import { Texts } from './support/texts.ts'

const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '10000,100000' },
    seconds: { type: 'string', default: '5' },
    clients: { type: 'string', default: '1,16,64' },
    users: { type: 'string', default: '200' },
    /** Users that call. The others only have their items. */
    callers: { type: 'string' },
    only: { type: 'string', default: '' },
  },
})
const seconds = Number(values.seconds)
const clients = values.clients.split(',').map(Number)
const callers = Number(values.callers ?? values.users)
if (!(callers >= 1)) throw new Error('--callers is a number of users')
const WARM_UP_SECONDS = 5
/** Time of each measurement of the floor. */
const FLOOR_SECONDS = 1
/** With it no limit refuses 200 users at the rates that one machine reaches. */
const LIMITS_FACTOR = '1000'

const texts = new Texts(1)

function print(name: string, concurrency: number, figures: Figures, readsASecond?: number): void {
  const cells = [
    name.padEnd(22),
    String(concurrency).padStart(4),
    figures.rate.toFixed(0).padStart(8),
    ...[figures.p50, figures.p95, figures.p99].map((ms) => ms.toFixed(1).padStart(8)),
    String(figures.refused).padStart(8),
    String(figures.failed).padStart(7),
    readsASecond ? readsASecond.toFixed(0).padStart(8) : ''.padStart(8),
    readsASecond ? (figures.rate / readsASecond).toFixed(2).padStart(9) : ''.padStart(9),
  ]
  console.log(cells.join(' '))
}

const HEADER = `${'operation'.padEnd(22)} ${'at'.padStart(4)} ${'ok/s'.padStart(8)} ${'p50 ms'.padStart(8)} ${'p95 ms'.padStart(8)} ${'p99 ms'.padStart(8)} ${'refused'.padStart(8)} ${'failed'.padStart(7)} ${'reads/s'.padStart(8)} ${'of a read'.padStart(9)}`

const floor = await startFloor()
const ofFloor = (path: string) => (): LoadRequest => ({ method: 'GET', path })
const readRate = async (count: number): Promise<number> =>
  (await load(floor.url, count, FLOOR_SECONDS, ofFloor('/read'))).rate

/** Prints the figures of `measure` with the rate of bare D1 reads, measured before and after it. */
async function printWithFloor(name: string, count: number, measure: () => Promise<Figures>): Promise<void> {
  const before = await readRate(count)
  const figures = await measure()
  print(name, count, figures, (before + (await readRate(count))) / 2)
}

async function measureFloor(): Promise<void> {
  await load(floor.url, 16, WARM_UP_SECONDS, ofFloor('/read'))
  for (const count of clients) {
    print('hello (floor)', count, await load(floor.url, count, seconds, ofFloor('/hello')))
    print('one D1 read (floor)', count, await load(floor.url, count, seconds, ofFloor('/read')))
    await printWithFloor('call and read (floor)', count, () =>
      load(floor.url, count, seconds, ofFloor('/call-and-read')),
    )
  }
}

function operations(users: BenchUser[]): [string, () => LoadRequest][] {
  const anybody = (among = users): { user: BenchUser; headers: Record<string, string> } => {
    const user = texts.pick(among)
    return {
      user,
      headers: { 'X-API-Key': texts.pick(user.keys), 'Content-Type': 'application/json' },
    }
  }
  const post = (path: string, body: (user: BenchUser) => unknown) => (): LoadRequest => {
    const { user, headers } = anybody()
    return { method: 'POST', path, headers, body: JSON.stringify(body(user)) }
  }
  const search = (mode: string) =>
    post('/api/memory/search', (user) => ({ query: texts.text(5), mode, context: { project_id: user.projectId } }))
  // With fewer items than projects some users have none.
  const owners = users.filter(({ items }) => items.length > 0)
  const store = (user: BenchUser) => ({ content: texts.text(40), context: { project_id: user.projectId } })
  return [
    [
      'retrieve',
      () => {
        const { user, headers } = anybody(owners)
        return {
          method: 'GET',
          path: `/api/memory/retrieve?id=${texts.pick(user.items)}`,
          headers,
        }
      },
    ],
    ['search hybrid', search('hybrid')],
    ['search semantic', search('semantic')],
    ['search keyword', search('keyword')],
    [
      'recall',
      post('/v1/memory/recall', (user) => ({ query: texts.text(5), context: { project_id: user.projectId } })),
    ],
    [
      'list',
      () => {
        const { user, headers } = anybody()
        return { method: 'GET', path: `/v1/memory/items?project_id=${user.projectId}`, headers }
      },
    ],
    ['store', post('/api/memory/store', store)],
    [
      'batch of 50 stores',
      post('/api/memory/batch', (user) => ({
        operations: Array.from({ length: 50 }, () => ({ op: 'store', ...store(user) })),
      })),
    ],
  ]
}

async function measure(server: Server, users: BenchUser[]): Promise<void> {
  console.log(HEADER)
  for (const [name, next] of operations(users).filter(([name]) => name.startsWith(values.only))) {
    for (const count of clients) {
      await printWithFloor(name, count, async () => {
        await useEverything(server, users)
        await load(server.url, 16, WARM_UP_SECONDS, next)
        const figures = await load(server.url, count, seconds, next)
        // The floor is measured only when the service is idle again.
        await waitUntilEmbedded(server, 900)
        return figures
      })
    }
  }
}

/**
 * Uses each key and the vectors of each project once. The first use of a key reads D1, and the first use of vectors reads
 * the storage of their object: both belong to the warm-up.
 */
async function useEverything(server: Server, users: BenchUser[]): Promise<void> {
  const uses = users.flatMap(({ keys, projectId }) => {
    const search = JSON.stringify({ query: texts.text(5), mode: 'semantic', context: { project_id: projectId } })
    return keys.map((key, nth): RequestInit & { path: string } => {
      const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' }
      return nth === 0
        ? { path: '/api/memory/search', method: 'POST', headers, body: search }
        : { path: `/v1/memory/items?limit=1&project_id=${projectId}`, headers }
    })
  })
  while (uses.length > 0) {
    const answers = await Promise.all(uses.splice(0, 16).map(({ path, ...init }) => fetch(server.url + path, init)))
    for (const answer of answers) if (!answer.ok) throw new Error(`a warm-up was answered ${answer.status}`)
    await Promise.all(answers.map((answer) => answer.arrayBuffer()))
  }
}

console.log(HEADER)
await measureFloor()
for (const items of values.items.split(',').map(Number)) {
  const server = await startServer({ vars: { LIMITS_FACTOR }, staticAssets: false })
  try {
    const users = await seedUsers(server.url, Number(values.users))
    const rate = await seedItems(server.url, users, items, texts)
    const embedded = await waitUntilEmbedded(server, 900)
    // The cron trigger would sweep every minute, but nothing starts it here.
    await server.sweep()
    console.log(
      `\n${items} items in ${users.length / 2} projects: stored by batches at ${rate.toFixed(0)} items/s; ` +
        `all embedded ${embedded.toFixed(1)} s after the last of them`,
    )
    await measure(server, users.slice(0, callers))
  } finally {
    await server.stop()
  }
}
await floor.stop()
