import { z } from 'zod'
import { auditSweeps } from './audit/index.ts'
import { denialSweep, directorySweeps, oauthSweep, sessionSweep } from './auth/index.ts'
import { sweepKeys } from './core/idempotency/claim.ts'
import type { System } from './core/context.ts'
import { budgeted, shardSweep, type LeftMore, type QueueConsumer, type QueueMessage, type Sweep } from './core/queue.ts'
import { workMessages } from './core/message-kinds.ts'
import { sendWork } from './core/work.ts'
import { depsOf } from './deps.ts'
import { invitationSweep, keySweep } from './identity/index.ts'
import {
  backlogSweep,
  embedSweep,
  expirySweep,
  filingSweep,
  purgeSweep,
  receiptSweep,
  reindexSweep,
  repeatSweep,
  rewriteSweep,
  segmentSweep,
} from './memory/index.ts'
import { eventSweeps } from './events/index.ts'
import { operatorSweeps } from './operator/index.ts'
import { measureSweeps } from './reference/index.ts'
import { MINUTE_MS } from './core/values/durations.ts'

/**
 * Every sweep of every feature, run one after the other, in each shard for itself. Sweeps that end access come first, so that no backlog of
 * another sweep delays them. A sweep that fails is logged and does not stop the others.
 */
export const sweeps: Sweep[] = [
  denialSweep,
  ...directorySweeps,
  ...auditSweeps,
  embedSweep,
  expirySweep,
  purgeSweep,
  receiptSweep,
  repeatSweep,
  backlogSweep,
  sessionSweep,
  invitationSweep,
  keySweep,
  ...eventSweeps,
  oauthSweep,
  ...operatorSweeps,
  reindexSweep,
  filingSweep,
  segmentSweep,
  rewriteSweep,
  ...measureSweeps,
  // Each keyed write leaves a key: an hour's could be more than a run erases.
  shardSweep('idempotency.expire', 5, (system, db) => sweepKeys(db, system.now())),
]

export async function sweep(controller: ScheduledController, env: Env, execution: ExecutionContext): Promise<void> {
  const system = depsOf(env)((work) => execution.waitUntil(work))
  await sweepMinute(budgeted(system), Math.floor(controller.scheduledTime / MINUTE_MS))
}

/**
 * Runs what is due in a minute. With several shards each one has a queue message, since an invocation makes a thousand
 * queries at most. Where the queue takes none, this invocation does what it has queries for, from another shard on each
 * minute.
 */
export async function sweepMinute(system: System, minute: number): Promise<void> {
  const due = sweeps.filter((one) => minute % one.everyMinutes === 0)
  const messages = system.shards.map((shard): SweepMessage => ({ kind: 'sweep', shard, minute }))
  const [first] = messages
  if (!first) return
  const alone = messages.length === 1
  const sent = alone || (await sendWork(system, { kind: SWEEP, messages }))
  const ofAll = due.filter((one) => !one.runIn)
  const { notBegun } = await runSweeps(system, ofAll, (one) => one.run(system))
  if (notBegun.length > 0)
    system.log.error({ event: 'sweep.cut_short', shard: null, sweeps: notBegun.map(({ name }) => name) })
  if (alone) await sweepShard(system, first)
  else if (!sent) for (const one of rotated(messages, minute)) await sweepShard(system, one, false)
}

const rotated = <T>(list: readonly T[], by: number): T[] => {
  const from = by % list.length
  return [...list.slice(from), ...list.slice(0, from)]
}

/** Answers the sweeps that left more, and those that this invocation has no queries for. */
async function runSweeps(
  system: System,
  due: readonly Sweep[],
  run: (one: Sweep) => Promise<LeftMore>,
): Promise<{ more: Sweep[]; notBegun: Sweep[] }> {
  const [more, notBegun]: [Sweep[], Sweep[]] = [[], []]
  for (const one of due) {
    if (system.queries?.isSpent) notBegun.push(one)
    else {
      try {
        if (await run(one)) more.push(one)
      } catch (error) {
        system.log.error({ event: 'sweep.failed', sweep: one.name }, error)
      }
    }
  }
  return { more, notBegun }
}

/** The sweeps of a shard in a minute. The next minute has messages of its own. */
const SWEEP = workMessages('purge', 'sweep')

/** A message of the queue `purge`: sweeps of one shard. */
interface SweepMessage {
  kind: 'sweep'
  shard: string
  /** In minutes since 1970. */
  minute: number
  /** Names of the sweeps to go on with. Default: those that are due in the minute. */
  sweeps?: string[] | undefined
  /** Sweeps that left more go on until this instant. */
  until?: number | undefined
}

const Message: z.ZodType<SweepMessage> = z.object({
  kind: z.literal('sweep'),
  shard: z.string(),
  minute: z.number(),
  sweeps: z.array(z.string()).optional(),
  until: z.number().optional(),
})

/** A message that has waited this long has successors. Sweeps that run less often come again too. */
const MAX_LATE_MS = 10 * MINUTE_MS
/** A chain of messages ends before the next minute begins one. */
const CHAIN_MS = 50_000

/**
 * Runs the sweeps of one shard. What this invocation has no queries for goes into a message of its own, and so does a sweep
 * that left more. A chain ends: a sweep that was not begun comes once, and one that left more goes on until `until`.
 */
async function sweepShard(system: System, message: SweepMessage, goOn = true): Promise<void> {
  const { shard, minute, sweeps: names, until = system.now() + CHAIN_MS } = message
  const due = sweeps.filter((one) => (names ? names.includes(one.name) : minute % one.everyMinutes === 0))
  const { more, notBegun } = await runSweeps(system, due, async (one) => one.runIn?.(system, shard))
  const next = [...notBegun, ...(system.now() < until ? more : [])].map(({ name }) => name)
  if (next.length === 0) return
  if (
    !goOn ||
    !(await sendWork(system, { kind: SWEEP, messages: [{ kind: 'sweep', shard, minute, sweeps: next, until }] }))
  )
    system.log.error({ event: 'sweep.cut_short', shard, sweeps: next })
}

/** The consumer of the queue `purge`: an invocation has the sweeps of one shard, or other messages, and never both. */
export const sweepingConsumer = (others: QueueConsumer): QueueConsumer => ({
  async consume(system, messages) {
    const [first, ...rest] = messages.toSorted((a, b) => Number(isSweep(b)) - Number(isSweep(a)))
    const { data } = Message.safeParse(first?.body)
    if (!data) return others.consume(system, messages)
    if (system.now() - data.minute * MINUTE_MS <= MAX_LATE_MS) await sweepShard(system, data)
    // As new messages: a retry would use up an attempt.
    return rest.map(({ body }) => body)
  },
  onDeadLetters: (system, messages) =>
    others.onDeadLetters(
      system,
      messages.filter((message) => !isSweep(message)),
    ),
})

const isSweep = ({ body }: QueueMessage): boolean => Message.safeParse(body).success
