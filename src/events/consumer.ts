import { z } from 'zod'
import { backoffMs } from '../core/values/backoff.ts'
import type { System } from '../core/context.ts'
import type { Job, JobHandler } from '../core/queue.ts'
import { deliver } from './webhooks/deliver.ts'
import { fanOut, MAX_EVENTS } from './fan-out.ts'
import { RESEND_AFTER_MS } from './outbox.ts'

const Message = z.object({ ids: z.array(z.string()) })

/** Queue `events`: committed events on their way to deliveries and sockets. */
export const eventJobs: JobHandler = {
  async consume(system, jobs) {
    try {
      await fanOutAll(system, jobs.flatMap(idsOf))
    } catch (error) {
      system.log.error({ event: 'events.fan_out_failed', messages: jobs.length }, error)
      // One by one, so that only the messages that fail are retried.
      for (const job of jobs) await fanOutAll(system, idsOf(job)).catch(() => job.retry(retrySeconds(job)))
    }
  },

  /** Puts the events back into the hands of the sweep, as if they had just been committed. */
  async bury(system, jobs) {
    const ids = jobs.flatMap(idsOf)
    system.log.error({ event: 'alert.events_buried', ids })
    for (const shard of system.shards) {
      await system
        .database(shard)
        .write(
          'update events set resend_at = ?2, resends = 0 where id in (select value from json_each(?1)) and settled_at is null',
          JSON.stringify(ids),
          system.now() + RESEND_AFTER_MS,
        )
    }
  },
}

const idsOf = (job: Job): string[] => Message.safeParse(job.body).data?.ids ?? []

const retrySeconds = (job: Job): number => Math.ceil(backoffMs(job.attempts, 1_000, 60_000, 1) / 1_000)

async function fanOutAll(system: System, ids: readonly string[]): Promise<void> {
  const each = [...new Set(ids)]
  for (const shard of system.shards) {
    for (let at = 0; at < each.length; at += MAX_EVENTS) {
      await fanOut(system, system.database(shard), each.slice(at, at + MAX_EVENTS))
    }
  }
}

const Due = z.object({ id: z.string() })

/** Queue `delivery`: webhooks that are due. */
export const deliveryJobs: JobHandler = {
  async consume(system, jobs) {
    try {
      for (const shard of system.shards) await deliver(system, system.database(shard), jobs.flatMap(dueOf))
    } catch (error) {
      // What was claimed is found by the sweep once its lease is over; what was not is asked for again.
      system.log.error({ event: 'delivery.batch_failed', messages: jobs.length }, error)
      for (const job of jobs) job.retry(retrySeconds(job))
    }
  },

  async bury(system, jobs) {
    const ids = jobs.flatMap(dueOf)
    system.log.error({ event: 'alert.deliveries_buried', ids })
    for (const shard of system.shards) {
      await system.database(shard).write(
        `update deliveries set resend_at = max(next_attempt_at, ?2) where id in (select value from json_each(?1))
             and status in ('pending', 'sending')`,
        JSON.stringify(ids),
        system.now(),
      )
    }
  },
}

const dueOf = (job: Job): string[] => {
  const { data } = Due.safeParse(job.body)
  return data ? [data.id] : []
}
