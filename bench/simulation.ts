// `npm run bench:simulation`: the load of a hundred shards under 10,000 requests a second, from measured costs of one. It calls
// nothing: the same costs and seed give the same figures on any machine (docs/scaling.md).
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    shards: { type: 'string', default: '100' },
    rate: { type: 'string', default: '10000' },
    items: { type: 'string', default: '10000000' },
    tenants: { type: 'string', default: '20000' },
    isolates: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
  },
})
const [shards, rate, items, tenants, isolates, seconds] = [
  Number(values.shards),
  Number(values.rate),
  Number(values.items),
  Number(values.tenants),
  Number(values.isolates),
  Number(values.seconds),
]

/**
 * Milliseconds of a shard for one operation: what docs/benchmarks.md measured at 16 clients with 10,000 items, as one over the
 * rate. Worker, hub and D1 shared a core there, so D1 alone takes less: these are upper bounds.
 */
const COST_MS = { retrieve: 1_000 / 608, search: 1_000 / 229, store: 1_000 / 311 }
/** Of the requests, as in the sum of docs/scaling.md. */
const SHARE = { retrieve: 0.9, search: 0.09, store: 0.01 }
const UNSEEN_QUERIES = 0.2
const ITEM_KB = 3.5
/** The largest tenant has this share of what it would have if the law held to its first rank. */
const FLATTENED = 10

const LIMITS = {
  modelCallsAMinute: 3_000,
  textsOfCall: 100,
  messagesASecond: 5_000,
  vectors: 10_000_000,
  hubASecond: 1_000,
  /** Invocations that sweep at once: `max_concurrency` of the queue `purge`. */
  sweepers: 2,
  /** Round trips of the sweeps of a shard without work, and how long one takes from a Worker (estimates). */
  tripsOfSweep: 40,
  tripMs: 10,
  /** `max_concurrency` and `max_batch_size` of the queue `audit`. */
  auditConsumers: 20,
  auditMessages: 50,
  shardsAtOnce: 6,
  /** Round trips of a consumer for a shard: its look-up and its commit. For writes the claim of their rows, their commit and their end. */
  tripsOfAudit: 2,
  tripsOfOutbox: 4,
  /** Pages that an audit database bears a second, and accesses that count as one more. */
  auditPages: 3_000,
  accessesAPage: 6,
}
/** An isolate sends rows of a shard once in a second, and its counts once in ten. */
const AUDIT_WINDOW_SECONDS = { rows: 1, counts: 10 }

/** Mulberry32: 32 bits of state, the same numbers everywhere. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
const random = randomOf(Number(values.seed))

/** Shares of the load by tenant, one over the rank, in the order in which they signed up. */
function tenantShares(): number[] {
  const raw = Array.from({ length: tenants }, (_, rank) => 1 / (rank + FLATTENED))
  const sum = raw.reduce((total, one) => total + one, 0)
  for (let at = raw.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[raw[at], raw[other]] = [raw[other] ?? 0, raw[at] ?? 0]
  }
  return raw.map((one) => one / sum)
}

/**
 * Each tenant goes to the shard with the most room when it signs up. Its later size is unknown then. `knows`:
 * the share of its later load that the shards show at that time.
 */
function place(shares: readonly number[], knows: number): number[] {
  const [seen, load] = [new Float64Array(shards), new Float64Array(shards)]
  for (const share of shares) {
    let best = 0
    for (let shard = 1; shard < shards; shard++) if ((seen[shard] ?? 0) < (seen[best] ?? 0)) best = shard
    seen[best] = (seen[best] ?? 0) + share * knows + (1 - knows) / tenants
    load[best] = (load[best] ?? 0) + share
  }
  return [...load]
}

function operation(): number {
  const drawn = random()
  if (drawn < SHARE.retrieve) return COST_MS.retrieve
  return drawn < SHARE.retrieve + SHARE.search ? COST_MS.search : COST_MS.store
}

/** Requests arrive at random and wait in one queue a shard, as D1 runs one statement at a time. Milliseconds from arrival to end. */
function waits(load: readonly number[]): number[] {
  const free = new Float64Array(shards)
  const bounds = load.reduce<number[]>((sums, share) => [...sums, (sums.at(-1) ?? 0) + share], [])
  const times: number[] = []
  for (let now = 0; now < seconds * 1_000;) {
    now += (-Math.log(1 - random()) * 1_000) / rate
    const drawn = random()
    let low = 0
    for (let high = shards - 1; low < high;) {
      const middle = (low + high) >> 1
      if ((bounds[middle] ?? 1) < drawn) low = middle + 1
      else high = middle
    }
    const end = Math.max(now, free[low] ?? 0) + operation()
    free[low] = end
    times.push(end - now)
  }
  return times.sort((a, b) => a - b)
}

const meanMs = SHARE.retrieve * COST_MS.retrieve + SHARE.search * COST_MS.search + SHARE.store * COST_MS.store
const at = (sorted: readonly number[], share: number): string =>
  (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1)
const percent = (part: number): string => `${(part * 100).toFixed(0)} %`

console.log(`${shards} shards, ${tenants} tenants, ${items} items, ${rate} requests a second, seed ${values.seed}\n`)
console.log('| placement sees | busy on average | busiest shard | p50 ms | p95 ms | p99 ms |')
console.log('| --- | ---: | ---: | ---: | ---: | ---: |')
const shares = tenantShares()
let busiest = 0
for (const [name, knows] of [
  ['all of the load', 1],
  ['half of it', 0.5],
  ['tenants alone', 0],
] as const) {
  const load = place(shares, knows)
  const most = Math.max(...load)
  busiest = Math.max(busiest, most)
  const times = waits(load)
  console.log(
    `| ${name} | ${percent((rate * meanMs) / 1_000 / shards)} | ${percent((most * rate * meanMs) / 1_000)} | ` +
      `${at(times, 0.5)} | ${at(times, 0.95)} | ${at(times, 0.99)} |`,
  )
}

/** The audit: messages a second, the consumers that they keep busy, and what the busiest database gets. */
function audit() {
  const messagesOf = (window: number): number =>
    (isolates * shards * (1 - Math.exp((-rate * window) / isolates / shards))) / window
  const [rows, counts] = [messagesOf(AUDIT_WINDOW_SECONDS.rows), messagesOf(AUDIT_WINDOW_SECONDS.counts)]
  const messages = rows + counts
  const batches = Math.max(1, messages / LIMITS.auditMessages)
  const inBatch = messages / batches
  const shardsOfBatch = shards * (1 - (1 - 1 / shards) ** inBatch)
  const writesOfShard = (rate * SHARE.store) / batches / shardsOfBatch
  const trips = LIMITS.tripsOfAudit + LIMITS.tripsOfOutbox * (1 - Math.exp(-writesOfShard))
  const batchSeconds = (Math.ceil(shardsOfBatch / LIMITS.shardsAtOnce) * trips * LIMITS.tripMs) / 1_000
  // At worst each access is a page of its own.
  const pagesOfBusiest = busiest * rate * (1 + 1 / LIMITS.accessesAPage)
  return { messages, batchSeconds, consumers: batches * batchSeconds, pagesOfBusiest }
}

const searches = rate * SHARE.search
const calls = searches * UNSEEN_QUERIES * 60 + (rate * SHARE.store * 60) / LIMITS.textsOfCall
const sweepSeconds = (shards * LIMITS.tripsOfSweep * LIMITS.tripMs) / 1_000 / LIMITS.sweepers
const { messages, batchSeconds, consumers, pagesOfBusiest } = audit()
const used: [what: string, part: number][] = [
  ['model calls a minute (unseen queries, and items by the hundred)', calls / LIMITS.modelCallsAMinute],
  ['vectors of one index', items / LIMITS.vectors],
  ['the busiest shard, where placement sees tenants alone', (busiest * rate * meanMs) / 1_000],
  ['sweeps of all shards within their minute', sweepSeconds / 60],
  ['events: two a store', (2 * rate * SHARE.store) / LIMITS.messagesASecond],
  ['the queue `audit`', messages / LIMITS.messagesASecond],
  [`consumers of the audit, at once (a batch takes ${batchSeconds.toFixed(2)} s)`, consumers / LIMITS.auditConsumers],
  ['pages of the busiest audit database, one an access', pagesOfBusiest / LIMITS.auditPages],
  ['bytes of the fullest database', (busiest * items * ITEM_KB) / 1024 ** 2 / 10],
  ['the largest tenant, if one user of it did all', (Math.max(...shares) * rate) / LIMITS.hubASecond],
]
console.log('\n| limit | used |\n| --- | ---: |')
for (const [what, part] of used.toSorted((a, b) => b[1] - a[1])) console.log(`| ${what} | ${percent(part)} |`)
