import type { System } from './context.ts'
import type { Database } from './database/database.ts'
import { QueryBudget } from './database/query-budget.ts'
import type { ObjectStore } from './ports.ts'
import { DATABASES_AT_ONCE } from './shards.ts'
import { backoffMs, type Backoff } from './values/backoff.ts'
import { inParallel } from './values/in-parallel.ts'
import { MINUTE_MS } from './values/durations.ts'

/** One queue message. It is acknowledged when the consumer returns, unless the consumer retries it. */
export interface QueueMessage<Body = unknown> {
  readonly id: string
  readonly body: Body
  readonly attempts: number
  readonly sentAt: number
  ack(): void
  /** Burns one of the queue's attempts (architecture §9). */
  retry(delaySeconds?: number): void
}

/** How a feature consumes its queue. A throw retries the whole batch. */
export interface QueueConsumer {
  /** Answers bodies of messages to send now: of work that this invocation has no queries left for. */
  consume(system: System, messages: readonly QueueMessage[]): Promise<readonly unknown[]>
  /** Gets messages that the queue gave up on. It puts their work back and writes an alert line. */
  onDeadLetters(system: System, messages: readonly QueueMessage[]): Promise<void>
}

const RETRIES: Backoff = { firstMs: 1_000, longestMs: MINUTE_MS }

/** The delay, in seconds, after which a message whose work failed is tried again. */
export const retrySeconds = (message: QueueMessage): number => Math.ceil(backoffMs(message.attempts, RETRIES) / 1_000)

/** The shard that a message is about. A version with one shard named none: such a message is for every shard, once. */
const shardOfBody = (body: unknown): string | undefined =>
  typeof body === 'object' && body !== null && 'shard' in body && typeof body.shard === 'string'
    ? body.shard
    : undefined

/** The system for one invocation of a consumer or a sweep, which counts its queries over all databases, and its calls of the bucket. */
export function budgeted(system: System): System {
  const queries = new QueryBudget()
  return {
    ...system,
    queries,
    auditObjects: system.auditObjects && countedObjects(system.auditObjects, queries),
    database: (shard) => system.database(shard).within(queries),
    auditDatabase: (shard) => system.auditDatabase(shard).within(queries),
  }
}

function countedObjects(objects: ObjectStore, queries: QueryBudget): ObjectStore {
  const counted = <Result>(call: () => Result): Result => {
    queries.spent += 1
    return call()
  }
  return {
    put: (key, bytes, sha256) => counted(() => objects.put(key, bytes, sha256)),
    head: (key) => counted(() => objects.head(key)),
    get: (key) => counted(() => objects.get(key)),
    list: (prefix, after) => counted(() => objects.list(prefix, after)),
    delete: (keys) => counted(() => objects.delete(keys)),
  }
}

/**
 * Does the work of a batch shard by shard. Where it fails in a shard, the messages of that shard alone are retried, so a
 * database that is down holds up nobody else's. `otherwise`: the shards of a message that names none; default all.
 * `work` answers what it left because the invocation has asked enough of D1; a shard for which it has then not begun is left
 * whole. Answers all bodies that are left.
 */
export async function forEachShard(
  system: System,
  messages: readonly QueueMessage[],
  work: (shard: string, own: readonly QueueMessage[]) => Promise<readonly unknown[] | void>,
  otherwise: readonly string[] = system.shards,
): Promise<readonly unknown[]> {
  const byShard = new Map<string, QueueMessage[]>()
  for (const message of messages) {
    const shard = shardOfBody(message.body)
    for (const one of shard === undefined ? otherwise : [shard])
      byShard.set(one, [...(byShard.get(one) ?? []), message])
  }
  const failed = new Set<QueueMessage>()
  const left: unknown[] = []
  await inParallel(DATABASES_AT_ONCE, [...byShard], async ([shard, own]) => {
    if (system.queries?.isSpent) {
      left.push(...own.map(({ body }) => ({ ...Object(body), shard })))
      return
    }
    try {
      left.push(...((await work(shard, own)) ?? []))
    } catch (error) {
      system.log.error({ event: 'queue.shard_failed', shard, messages: own.length }, error)
      for (const message of own) failed.add(message)
    }
  })
  for (const message of failed) message.retry(retrySeconds(message))
  return left
}

/** Whether a part of a sweep left work that it could go on with at once. */
export type LeftMore = boolean | void

/** Works on one part after the other, and answers whether any of them left more. */
export async function anyLeftMore<Part>(
  parts: readonly Part[],
  work: (part: Part) => Promise<boolean>,
): Promise<boolean> {
  let leftMore = false
  for (const part of parts) leftMore = (await work(part)) || leftMore
  return leftMore
}

/** Work that the clock starts. A sweep is bounded, and safe to run twice at once. */
export interface Sweep {
  name: string
  everyMinutes: number
  run(system: System): Promise<void>
  /** The part of one shard. Absent: the sweep is about no shard, or about all together. */
  runIn?(system: System, shard: string): Promise<LeftMore>
}

/** A sweep that works on the database of one shard after the other. A shard that fails does not stop the others. */
export const shardSweep = (
  name: string,
  everyMinutes: number,
  run: (system: System, db: Database, shard: string) => Promise<LeftMore>,
): Sweep => ({
  name,
  everyMinutes,
  runIn: (system, shard) => run(system, system.database(shard), shard),
  run: async (system) => {
    const failures: unknown[] = []
    for (const shard of system.shards) {
      try {
        await run(system, system.database(shard), shard)
      } catch (error) {
        failures.push(error)
        system.log.error({ event: 'sweep.shard_failed', sweep: name, shard }, error)
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, `${name} failed in ${failures.length} shards`)
  },
})
