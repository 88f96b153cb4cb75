/**
 * `npm run bench:events [-- --users 100 --sockets 5 --events 10000]`
 *
 * Measures the way from the publishing call to the sockets of the recipients, in workerd itself. All checks are on
 * (`LIMITS_FACTOR` multiplies the limits), audit and history too. The service, the clients and the floor (a bare `ws`
 * echo) share one machine. It prints figures and ratios, never a verdict.
 */
import { parseArgs } from 'node:util'
import { startServer } from '../test/e2e/support/server.ts'
import { at, openAudience, publish, PUBLISHERS, publishMany, type Audience } from './support/audience.ts'
import { measureEcho } from './support/echo.ts'
import { until } from './support/until.ts'
import { deliveryRate } from './support/webhooks.ts'
import { percentile } from './support/percentile.ts'

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '100' },
    sockets: { type: 'string', default: '5' },
    events: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '200' },
    deliveries: { type: 'string', default: '1000' },
  },
})
const users = Number(values.users)
const socketsEach = Number(values.sockets)
const eventCount = Number(values.events)
const rounds = Number(values.rounds)
const deliveryCount = Number(values.deliveries)
const WARM_UP_ROUNDS = 20

function print(name: string, times: readonly number[], floor?: number): void {
  const cells = [0.5, 0.95, 0.99].map((share) => percentile(times, share).toFixed(2).padStart(9))
  const ratio = floor === undefined ? '' : `${(percentile(times, 0.5) / floor).toFixed(1)} × floor`.padStart(14)
  console.log(name.padEnd(46), ...cells, ratio)
}

/** Publishes to one recipient after the other. Answers the milliseconds until each of its sockets had the event. */
async function latencies(url: string, { recipients, projectId }: Audience, count: number): Promise<number[]> {
  const times: number[] = []
  for (let index = 0; index < count; index += 1) {
    const [by, to] = [at(recipients, index), at(recipients, index * 7 + 1)]
    const startedAt = performance.now()
    const id = await publish(url, by, { project_id: projectId, targets: [to.userId] })
    await until('one event', () => to.sockets.every(({ arrivedAt }) => arrivedAt.has(id)))
    times.push(...to.sockets.map(({ arrivedAt }) => (arrivedAt.get(id) ?? Number.NaN) - startedAt))
  }
  return times
}

/** Publishes to everybody. Answers the milliseconds until the last socket of all had the event. */
async function spread(url: string, { recipients, projectId }: Audience, count: number): Promise<number[]> {
  const sockets = recipients.flatMap((one) => one.sockets)
  const times: number[] = []
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now()
    const id = await publish(url, at(recipients, index), { project_id: projectId })
    await until('one event to all', () => sockets.every(({ arrivedAt }) => arrivedAt.has(id)))
    times.push(Math.max(...sockets.map(({ arrivedAt }) => arrivedAt.get(id) ?? Number.NaN)) - startedAt)
  }
  return times
}

/** Publishes `count` events from several publishers at once. Answers the seconds until all were published and arrived. */
async function flood(url: string, audience: Audience, count: number) {
  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1_000
  const targetOf = (index: number) => at(audience.recipients, index * 7 + 1)
  const ids = await publishMany(url, audience, count, (index) => ({ targets: [targetOf(index).userId] }))
  const publishedAfter = seconds()
  let arrived = 0
  const isNext = () => {
    const id = ids[arrived]
    return id !== undefined && targetOf(arrived).sockets.every(({ arrivedAt }) => arrivedAt.has(id))
  }
  const all = () => {
    while (isNext()) arrived += 1
    return arrived === count
  }
  await until('all events', all, () => arrived)
  return { publishedAfter, arrivedAfter: seconds() }
}

const server = await startServer({ vars: { LIMITS_FACTOR: '1000' } })
try {
  console.log(`${users} users of one workspace with ${socketsEach} sockets each\n`)
  const audience = await openAudience(server.url, users, socketsEach)
  console.log(''.padEnd(46), ...['p50 ms', 'p95 ms', 'p99 ms'].map((name) => name.padStart(9)))
  const echo = await measureEcho(users * socketsEach, rounds * socketsEach)
  const floor = percentile(echo, 0.5)
  print('ws echo (floor)', echo)
  await latencies(server.url, audience, WARM_UP_ROUNDS)
  print('publish → socket', await latencies(server.url, audience, rounds), floor)
  print(`publish → last of ${users * socketsEach} sockets`, await spread(server.url, audience, rounds / 4), floor)
  const { publishedAfter, arrivedAfter } = await flood(server.url, audience, eventCount)
  console.log(
    `\n${eventCount} events from ${PUBLISHERS} publishers: published after ${publishedAfter.toFixed(1)} s ` +
      `(${(eventCount / publishedAfter).toFixed(0)}/s), all arrived after ${arrivedAfter.toFixed(1)} s`,
  )
  if (deliveryCount > 0) {
    const rate = await deliveryRate(server, audience, deliveryCount)
    console.log(`${deliveryCount} webhook deliveries of a backlog, from the first to the last: ${rate.toFixed(0)}/s`)
  }
} finally {
  await server.stop()
}
process.exit(0)
