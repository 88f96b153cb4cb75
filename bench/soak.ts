/**
 * `npm run bench:soak [-- --minutes 10 --clients 16 --kill-seconds 30]`
 *
 * A mixed load on the service as `npm start` runs it, with an embedding model and a webhook receiver that fail, while its
 * two runtimes are killed in turn (two of three times the one with the Worker). It prints memory, p95 and sizes over time.
 * Then the faults end, and it prints which acknowledged writes were lost or doubled. It gives no verdict.
 */
import { parseArgs } from 'node:util'
import { startFaultyReceiver, startModel } from './support/faults.ts'
import { startLocalService, type LocalService } from './support/local-service.ts'
import { ask, newSpan, SoakLoad, type SoakUser } from './support/soak-load.ts'
import { Texts } from './support/texts.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    clients: { type: 'string', default: '16' },
    'kill-seconds': { type: 'string', default: '30' },
    'settle-seconds': { type: 'string', default: '300' },
  },
})
const durationMs = Number(values.minutes) * 60_000
const clients = Number(values.clients)
const killMs = Number(values['kill-seconds']) * 1_000
const settleMs = Number(values['settle-seconds']) * 1_000
const USERS = 4
const PRINT_MS = 15_000
const SETTLE_PAUSE_MS = 3_000
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** How often each event came, by item and type, and how often each delivery was answered 200. */
const events = new Map<string, number>()
const deliveries = new Map<string, number>()
const eventOf = (type: string, id = '') => `${type} ${id}`
const count = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1)

async function signUp(url: string, nth: number, hook: string): Promise<SoakUser> {
  const form = { email: `soak${nth}@bench.example`, password: 'a password for benches', name: `Soak ${nth}` }
  const signedUp = await fetch(`${url}/auth/register-user`, { method: 'POST', body: new URLSearchParams(form) })
  const { session_token: session } = (await signedUp.json()) as { session_token: string }
  const subscription = await ask(url, session, 'POST', '/api/events/subscriptions', {
    channels: ['memory'],
    events: ['memory.created', 'memory.deleted'],
    delivery: { method: 'webhook', url: hook },
  })
  if (!subscription?.ok) throw new Error(`a subscription was answered ${subscription?.status}`)
  const { subscription_id: subscriptionId } = subscription.body as { subscription_id: string }
  return { session, subscriptionId }
}

interface Item {
  id: string
  content: { text: string }
  embedding_status: string
}

async function itemsOf(url: string, { session }: SoakUser): Promise<Item[]> {
  const items: Item[] = []
  for (let cursor = ''; ;) {
    const answer = await ask(url, session, 'GET', `/v1/memory/items?limit=100${cursor && `&cursor=${cursor}`}`)
    if (!answer?.ok) throw new Error(`the list was answered ${answer?.status}`)
    const page = answer.body as { data: Item[]; next_cursor: string | null }
    items.push(...page.data)
    if (page.next_cursor === null) return items
    cursor = encodeURIComponent(page.next_cursor)
  }
}

function startKilling(service: LocalService): { kills: string[]; stop(): void } {
  const kills: string[] = []
  const timer = setInterval(() => {
    const which = kills.length % 3 === 2 ? 'outer' : 'inner'
    kills.push(which)
    void service.kill(which)
  }, killMs)
  return { kills, stop: () => clearInterval(timer) }
}

const cells = (...list: (string | number)[]) => list.map((one) => String(one).padStart(9)).join(' ')

async function printSpan(service: LocalService, load: SoakLoad, atMs: number, kills: number): Promise<void> {
  const { times, refused, failed, broken } = load.span
  load.span = newSpan()
  times.sort((a, b) => a - b)
  const p95 = times[Math.floor(times.length * 0.95)] ?? Number.NaN
  const { worker, all } = await service.memoryMb()
  const seconds = (atMs / 1_000).toFixed(0)
  const rate = (times.length / (PRINT_MS / 1_000)).toFixed(0)
  const sizes = [worker.toFixed(0), all.toFixed(0), (await service.diskMb()).toFixed(1)]
  console.log(cells(seconds, rate, p95.toFixed(0), refused, failed, broken, kills, ...sizes, load.ledger.stored.size))
}

const model = await startModel()
const receiver = await startFaultyReceiver(({ type, data }, delivery) => {
  count(events, eventOf(type, data.memory_id))
  count(deliveries, delivery)
})
const service = await startLocalService({
  LIMITS_FACTOR: '1000',
  EMBEDDINGS_URL: model.url,
  EMBEDDINGS_DIMENSION: String(model.dimension),
})
try {
  const { url } = service
  const users: SoakUser[] = []
  for (let nth = 0; nth < USERS; nth += 1) users.push(await signUp(url, nth, receiver.url))
  const beganAt = Date.now()
  const load = new SoakLoad(url, new Texts(1))
  const killing = startKilling(service)
  console.log(cells('s', 'ok/s', 'p95 ms', '429', '5xx', 'broken', 'kills', 'worker MB', 'all MB', 'disk MB', 'stored'))
  const running = load.run(users, clients)
  while (Date.now() - beganAt < durationMs) {
    await Promise.race([wait(PRINT_MS), running])
    await printSpan(service, load, Date.now() - beganAt, killing.kills.length)
  }
  killing.stop()
  load.stop()
  await running
  model.faulty = false
  receiver.faulty = false

  const { stored, deleted, unclear } = load.ledger
  const expected = [...stored.keys()].map((id) => eventOf('memory.created', id))
  expected.push(...[...deleted].map((id) => eventOf('memory.deleted', id)))
  const missing = () => expected.filter((event) => !events.has(event)).length
  let items: Item[] = []
  const pending = () => items.filter(({ embedding_status: status }) => status !== 'completed').length
  const settlingAt = Date.now()
  do {
    await wait(SETTLE_PAUSE_MS)
    await service.sweep().catch(() => undefined)
    const since = new Date(beganAt).toISOString()
    for (const { session, subscriptionId } of users) {
      await ask(url, session, 'POST', `/v1/events/subscriptions/${subscriptionId}/recover`, { since })
    }
    items = (await Promise.all(users.map((user) => itemsOf(url, user).catch(() => [])))).flat()
  } while ((missing() > 0 || pending() > 0 || items.length === 0) && Date.now() - settlingAt < settleMs)

  const present = new Set(items.map(({ id }) => id))
  const markers = Map.groupBy(items, ({ content }) => content.text.split(' ')[0])
  const lost = [...stored.keys()].filter((id) => !present.has(id) && !deleted.has(id) && !unclear.has(id))
  const print = (name: string, value: number | string) => console.log(name.padEnd(48), value)
  console.log(
    `\n${killing.kills.length} kills; settled ${((Date.now() - settlingAt) / 1_000).toFixed(0)} s after the load`,
  )
  print('model: requests, faults', `${model.counts.requests}, ${model.counts.faults}`)
  print('receiver: requests, faults', `${receiver.counts.requests}, ${receiver.counts.faults}`)
  for (const [kind, times] of load.refusals) print(`answered ${kind}`, times)
  print('stores acknowledged', stored.size)
  print('  lost', lost.length)
  print('  stored twice', [...markers.values()].filter((same) => same.length > 1).length)
  print('deletions acknowledged', deleted.size)
  print('  still there', [...deleted].filter((id) => present.has(id)).length)
  print('items without an embedding', pending())
  print('events of acknowledged changes', expected.length)
  print('  never received', missing())
  print('deliveries received more than once', [...deliveries.values()].filter((times) => times > 1).length)
} finally {
  await service.stop()
  model.stop()
  receiver.stop()
}
process.exit(0)
