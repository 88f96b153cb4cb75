/**
 * `npm run bench:counters [-- --rounds 9 --requests 400]`
 *
 * Measures what the counters by the hour (`request_hours`) add to a request, in one run: CPU of a retrieve with all that it
 * does, of its counters alone, and of storing the message of a hundred requests with them and without. CPU is that of the
 * whole runtime, the local D1 included, so that other processes hardly count. Figures are medians of the rounds. Linux only.
 */
import { parseArgs } from 'node:util'
import { startServer } from '../test/e2e/support/server.ts'
import { COUNTERS_PATH, REQUESTS_A_MESSAGE, type CountersTask } from './support/counters-task.ts'
import { cpuMsOf, startedRuntime } from './support/runtime-cpu.ts'
import { seedUsers, type BenchUser } from './support/seed.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, requests: { type: 'string', default: '400' } },
})
const [rounds, requests] = [Number(values.rounds), Number(values.requests)]
const COUNTS = 200_000
const MESSAGES = 50
const CLIENTS = 8

const server = await startServer({
  script: 'bench/worker/counters.ts',
  vars: { LIMITS_FACTOR: '1000' },
  staticAssets: false,
})
const runtime = startedRuntime()

/** A busy machine may let a database miss its deadline: such a request is sent again. */
async function send(path: string, init: RequestInit, attempts = 5): Promise<Record<string, unknown>> {
  const answer = await fetch(server.url + path, init)
  if (answer.status === 503 && attempts > 1) return send(path, init, attempts - 1)
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return (await answer.json()) as Record<string, unknown>
}

/** Milliseconds of CPU that the runtime takes for some work. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = cpuMsOf(runtime)
  await work()
  return cpuMsOf(runtime) - before
}

const headersOf = ({ keys: [key = ''] }: BenchUser) => ({ 'X-API-Key': key, 'Content-Type': 'application/json' })
const users = await seedUsers(server.url, CLIENTS)
const items = await Promise.all(
  users.map(async (user) => {
    const body = JSON.stringify({ content: 'Ada prefers tea without sugar.', context: { project_id: user.projectId } })
    const { id } = await send('/api/memory/store', { method: 'POST', headers: headersOf(user), body })
    return { path: `/api/memory/retrieve?id=${String(id)}`, headers: headersOf(user) }
  }),
)

/** Each client retrieves its item, one request after the other. */
const retrieve = (): Promise<unknown> =>
  Promise.all(
    items.map(async ({ path, headers }) => {
      for (let nth = 0; nth < requests / CLIENTS; nth += 1) await send(path, { headers })
    }),
  )
const task = (asked: CountersTask): Promise<unknown> =>
  send(COUNTERS_PATH, { method: 'POST', body: JSON.stringify(asked) })

const measured = { request: [] as number[], counting: [] as number[], on: [] as number[], off: [] as number[] }
await retrieve()
for (let round = -1; round < rounds; round += 1) {
  const request = (await cpuOf(retrieve)) / requests
  const counting = (await cpuOf(() => task({ work: 'count', times: COUNTS, counters: true }))) / COUNTS
  // Another one is first in each round.
  const stored = { on: 0, off: 0 }
  for (const which of round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const))
    stored[which] = (await cpuOf(() => task({ work: 'store', times: MESSAGES, counters: which === 'on' }))) / MESSAGES
  // The first round warms up.
  if (round < 0) continue
  measured.request.push(request)
  measured.counting.push(counting)
  measured.on.push(stored.on)
  measured.off.push(stored.off)
}
await server.stop()

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
const ratios = (on: readonly number[], off: readonly number[]): number =>
  median(on.map((one, round) => one / (off[round] ?? Number.NaN)))

const ms = (numbers: readonly number[]): string => `${median(numbers).toFixed(4)} ms of CPU`
const storing = measured.on.map((on, round) => (on - (measured.off[round] ?? 0)) / REQUESTS_A_MESSAGE)
const added = measured.counting.map((counting, round) => counting + (storing[round] ?? 0))
const without = measured.request.map((request, round) => request - (measured.counting[round] ?? 0))
console.log(`a retrieve, counters on                ${ms(measured.request)}`)
console.log(`its counters in the request            ${ms(measured.counting)}`)
console.log(`a request, counters on to off          ${ratios(measured.request, without).toFixed(4)}`)
console.log(`a message of ${REQUESTS_A_MESSAGE} requests, on          ${ms(measured.on)}`)
console.log(`a message of ${REQUESTS_A_MESSAGE} requests, off         ${ms(measured.off)}`)
console.log(`storing a message, on to off           ${ratios(measured.on, measured.off).toFixed(2)}`)
console.log(`counters in all, of a request          ${ms(added)}`)
console.log(`counters in all, share of a request    ${ratios(added, measured.request).toFixed(4)}`)
