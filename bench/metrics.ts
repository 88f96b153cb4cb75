/**
 * `npm run bench:metrics [-- --rounds 7 --seconds 3 --requests 200000 --clients 8]`
 *
 * Measures what figures and spans cost a retrieve, as a share of its CPU. One process of workerd takes turns in
 * retrieves, which gather no figures, in requests of a route that does nothing, and in the same with figures and a span.
 * The kernel counts the CPU of the process. A retrieve has its hub and its D1 in that process. So a second share is printed,
 * of the retrieve's CPU without the cost of a bare Durable Object call and D1 read.
 */
import { parseArgs } from 'node:util'
import { runtimes, startServer } from '../test/e2e/support/server.ts'
import { FIGURES_PATH, VARIANTS, type Variant } from './support/figures-path.ts'
import { startFloor } from './support/floor.ts'
import { load, type LoadRequest } from './support/load.ts'
import { cpuMsOf } from './support/runtime-cpu.ts'
import { seedItems, seedUsers, waitUntilEmbedded } from './support/seed.ts'
import { Texts } from './support/texts.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '3' },
    requests: { type: 'string', default: '200000' },
    clients: { type: 'string', default: '8' },
  },
})
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]
const [requests, clients] = [Number(values.requests), Number(values.clients)]
const USERS = 8
const ITEMS = 200

const texts = new Texts(1)
const floor = await startFloor()
const [floorPid = 0] = await runtimes()
const server = await startServer({
  vars: { LIMITS_FACTOR: '100000', METRICS_TOKEN: 'a-token-of-an-operator-for-scrapes' },
  script: 'bench/worker/metrics.ts',
  staticAssets: false,
})
const [pid = 0] = (await runtimes()).filter((one) => one !== floorPid)
const users = await seedUsers(server.url, USERS)
await seedItems(server.url, users, ITEMS, texts)
await waitUntilEmbedded(server, 900)

/** Microseconds of CPU of a request under load. */
async function cpuOfLoad(url: string, process: number, next: () => LoadRequest): Promise<number> {
  const before = cpuMsOf(String(process))
  const { rate, failed, refused } = await load(url, clients, seconds, next)
  if (failed + refused > 0) throw new Error(`${failed} requests failed, ${refused} were refused`)
  return ((cpuMsOf(String(process)) - before) * 1_000) / (rate * seconds)
}

function retrieve(): LoadRequest {
  const user = texts.pick(users)
  const headers = { 'X-API-Key': texts.pick(user.keys) }
  return { method: 'GET', path: `/api/memory/retrieve?id=${texts.pick(user.items)}`, headers }
}

/** Microseconds of CPU of a request that does only the work of the variant. */
async function cpuOfRoute(variant: Variant): Promise<number> {
  const before = cpuMsOf(String(pid))
  const answer = await fetch(`${server.url}${FIGURES_PATH}?requests=${requests}&with=${variant}`)
  if (!answer.ok) throw new Error(`the Worker answered ${answer.status}`)
  return ((cpuMsOf(String(pid)) - before) * 1_000) / requests
}

const median = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN
const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(2)} %`

await cpuOfLoad(server.url, pid, retrieve)
for (const variant of VARIANTS) await cpuOfRoute(variant)
const taken = { retrieve: [] as number[], floor: [] as number[], figures: [] as number[], span: [] as number[] }
for (let round = 0; round < rounds; round++) {
  taken.retrieve.push(await cpuOfLoad(server.url, pid, retrieve))
  taken.floor.push(await cpuOfLoad(floor.url, floorPid, () => ({ method: 'GET', path: '/call-and-read' })))
  // Another variant is first in each round, because a shared machine changes its speed.
  const order = VARIANTS.map((_, nth) => VARIANTS[(nth + round) % VARIANTS.length] ?? 'nothing')
  const cost = new Map<Variant, number>()
  for (const variant of order) cost.set(variant, await cpuOfRoute(variant))
  const beyond = (variant: Variant): number => (cost.get(variant) ?? Number.NaN) - (cost.get('nothing') ?? Number.NaN)
  taken.figures.push(beyond('figures'))
  taken.span.push(beyond('span'))
}
const whole = median(taken.retrieve)
const own = whole - median(taken.floor)
console.log(`retrieve: ${whole.toFixed(0)} us of CPU, of which ${own.toFixed(0)} us beyond a bare call and read`)
for (const name of ['figures', 'span'] as const) {
  const cost = median(taken[name])
  console.log(
    `${name}: ${cost.toFixed(2)} us, ${percent(cost, whole)} of a retrieve, ${percent(cost, own)} of the rest`,
  )
}
await server.stop()
await floor.stop()
