import { z } from '@hono/zod-openapi'
import { iso } from '../../core/values/clock.ts'
import { idOf, timestamp } from '../../core/http/fields.ts'
import { wholeOrShort } from '../../core/http/written.ts'
import { DELIVERY_STATUSES, type deliveries, type delivery_attempts } from '../table.ts'
import { SAMPLE_IDS, SAMPLE_TIME } from '../../core/sample.ts'

/** SQL: the delivery is not settled. Beside a condition on one status it makes the planner use the partial indexes. */
export const OPEN = `status in ('waiting', 'pending', 'sending')`

export type DeliveryRow = typeof deliveries.$inferSelect
export type AttemptRow = typeof delivery_attempts.$inferSelect

export const DeliverySchema = z
  .object({
    id: idOf('dlv').meta({ description: 'The `webhook-id` of its requests.' }),
    subscription_id: idOf('sub'),
    event_id: idOf('evt'),
    event_type: z.string(),
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.int().meta({ description: 'Failed and successful attempts in the current schedule.' }),
    next_attempt_at: timestamp.nullable(),
    last_status_code: z.int().nullable(),
    last_error: z.string().nullable(),
    created_at: timestamp,
    delivered_at: timestamp.nullable(),
    expires_at: timestamp,
  })
  .openapi('Delivery')
export type Delivery = z.infer<typeof DeliverySchema>

/** What a write answers of a delivery. */
export const DeliveryOrWritten = wholeOrShort('Delivery', DeliverySchema, ['id', 'created_at'])

export const SAMPLE_DELIVERY: Delivery = {
  id: SAMPLE_IDS.delivery,
  subscription_id: SAMPLE_IDS.subscription,
  event_id: SAMPLE_IDS.testEvent,
  event_type: 'message.new',
  status: 'delivered',
  attempts: 1,
  next_attempt_at: null,
  last_status_code: 200,
  last_error: null,
  created_at: SAMPLE_TIME,
  delivered_at: '2026-11-21T09:30:01.000Z',
  expires_at: '2026-11-28T09:30:00.000Z',
}

export const toDelivery = (row: DeliveryRow): Delivery => ({
  id: row.id,
  subscription_id: row.subscription_id,
  event_id: row.event_id,
  event_type: row.event_type,
  status: row.status,
  attempts: row.attempts,
  next_attempt_at: row.status === 'pending' ? iso(row.next_attempt_at) : null,
  last_status_code: row.last_status_code,
  last_error: row.last_error,
  created_at: iso(row.created_at),
  delivered_at: row.delivered_at === null ? null : iso(row.delivered_at),
  expires_at: iso(row.expires_at),
})

export const AttemptSchema = z
  .object({
    id: idOf('att'),
    delivery_id: idOf('dlv'),
    number: z.int(),
    started_at: timestamp,
    duration_ms: z.int(),
    status_code: z.int().nullable(),
    error: z.string().nullable(),
    response: z.string().meta({
      description: 'The beginning of the response, exactly as the receiver sent it: escape it before you show it.',
    }),
  })
  .openapi('DeliveryAttempt')

export type Attempt = z.infer<typeof AttemptSchema>

export const toAttempt = (row: AttemptRow): Attempt => ({
  id: row.id,
  delivery_id: row.delivery_id,
  number: row.number,
  started_at: iso(row.started_at),
  duration_ms: row.duration_ms,
  status_code: row.status_code,
  error: row.error,
  response: row.response,
})
