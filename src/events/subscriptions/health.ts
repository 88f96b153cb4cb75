import { z } from '@hono/zod-openapi'
import { iso } from '../../core/values/clock.ts'
import { timestamp } from '../../core/http/fields.ts'
import { SAMPLE_TIME } from '../../core/sample.ts'
import { OPEN } from '../deliveries/delivery.ts'
import type { subscriptions } from '../table.ts'

/** An answer counts no further. */
export const MAX_COUNTED_DELIVERIES = 1_000

/** SQL: the deliveries of a subscription that are not settled, up to `MAX_COUNTED_DELIVERIES`. `id` is SQL for its id. */
export const waitingOf = (id: string): string =>
  `(select count(*) from (select 1 from deliveries where subscription_id = ${id} and ${OPEN} limit ${MAX_COUNTED_DELIVERIES}))`

/** How the attempts of a subscription went. Each attempt writes it in the commit that records it. */
export const healthFields = {
  failing_since: timestamp.nullable().meta({
    description: 'Start of the first attempt of the current run of failures. Null after a success or a resume.',
  }),
  last_attempt: z
    .object({
      at: timestamp,
      status_code: z.int().nullable().meta({ description: 'Of the response. Null if there was none.' }),
      error: z.string().nullable().meta({ description: 'As in the attempts of a delivery. Null after a success.' }),
    })
    .nullable()
    .meta({ description: 'The attempt that started last, whatever its delivery. Null before the first one.' }),
  last_success_at: timestamp.nullable().meta({ description: 'When the receiver last accepted a delivery.' }),
  waiting: z
    .int()
    .min(0)
    .max(MAX_COUNTED_DELIVERIES)
    .meta({
      description: `Deliveries that are held, due, being sent or to be sent again. ${MAX_COUNTED_DELIVERIES} stands for ${MAX_COUNTED_DELIVERIES} or more.`,
    }),
}

const HealthSchema = z.object(healthFields)
type Health = z.infer<typeof HealthSchema>

type HealthColumns = Pick<
  typeof subscriptions.$inferSelect,
  'failing_since' | 'last_attempt_at' | 'last_attempt_status_code' | 'last_attempt_error' | 'last_success_at'
>

export const healthOf = (row: HealthColumns & Pick<Health, 'waiting'>): Health => ({
  failing_since: instant(row.failing_since),
  last_attempt:
    row.last_attempt_at === null
      ? null
      : {
          at: iso(row.last_attempt_at),
          status_code: row.last_attempt_status_code,
          error: row.last_attempt_error,
        },
  last_success_at: instant(row.last_success_at),
  waiting: row.waiting,
})

const instant = (at: number | null): string | null => (at === null ? null : iso(at))

/** A subscription whose last delivery was accepted. */
export const SAMPLE_HEALTH: Health = {
  failing_since: null,
  last_attempt: { at: SAMPLE_TIME, status_code: 200, error: null },
  last_success_at: SAMPLE_TIME,
  waiting: 0,
}
