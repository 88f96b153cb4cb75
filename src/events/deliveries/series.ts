import { z } from '@hono/zod-openapi'
import { RANGE_REFUSALS, rangeFields, rangeOf } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { idOf, timestamp } from '../../core/http/fields.ts'
import { iso } from '../../core/values/clock.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { OWN, ownValues } from '../subscriptions/subscription.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/values/durations.ts'

const STEP_MS = { hour: HOUR_MS, day: DAY_MS } as const

/** An answer reads at most this many rows: the newest deliveries of the subscriptions that were asked for, or of the newest ones. */
export const MAX_DELIVERIES = 5_000
export const MAX_SUBSCRIPTIONS = 20

/** From the event to the answer that accepted it, retries and pauses included. */
const LATENCY_BOUNDS_MS = [100, 250, 500, 1_000, 2_500, 5_000, 15_000, MINUTE_MS, 5 * MINUTE_MS, HOUR_MS] as const

export const DeliverySeriesInput = z.strictObject({
  ...rangeFields,
  step: z.enum(['hour', 'day']).default('hour'),
  subscription_id: z
    .union([idOf('sub').transform((id) => [id]), z.array(idOf('sub')).min(1).max(MAX_SUBSCRIPTIONS)])
    .optional()
    .meta({ description: `Repeatable, up to ${MAX_SUBSCRIPTIONS} times (default: the newest ${MAX_SUBSCRIPTIONS}).` }),
})

export const DeliverySeriesSchema = z
  .object({
    since: timestamp,
    until: timestamp,
    step: z.enum(['hour', 'day']),
    bounds_ms: z.array(z.int()).meta({
      description: `Inclusive upper bounds of the first ${LATENCY_BOUNDS_MS.length} buckets of \`latencies\`. The last bucket has no bound.`,
    }),
    truncated: z.boolean().meta({
      description: `Present if only the newest ${MAX_DELIVERIES} deliveries of a subscription, or only the newest ${MAX_SUBSCRIPTIONS} subscriptions, are included.`,
    }),
    data: z.array(
      z.object({
        at: timestamp.meta({
          description: 'Start of the step. A delivery counts in the step in which it was created.',
        }),
        subscription_id: idOf('sub'),
        delivered: z.int(),
        failed: z.int(),
        expired: z.int(),
        open: z.int().meta({ description: 'Held, due, or being sent.' }),
        latencies: z
          .array(z.int())
          .length(LATENCY_BOUNDS_MS.length + 1)
          .meta({
            description: 'Number of successful deliveries in each bucket of the time from the event to its acceptance.',
          }),
      }),
    ),
  })
  .openapi('DeliverySeries')
export type DeliverySeries = z.infer<typeof DeliverySeriesSchema>

const LATENCY = `d.delivered_at - d.created_at`
const IN_BUCKET = [...LATENCY_BOUNDS_MS, null].map((bound, bucket, all) => {
  const above = all[bucket - 1] ?? null
  return `sum(iif(d.status = 'delivered'${above === null ? '' : ` and ${LATENCY} > ${above}`}${
    bound === null ? '' : ` and ${LATENCY} <= ${bound}`
  }, 1, 0))`
})

const STEPS = `
  select d.created_at - d.created_at % :step as at, d.subscription_id,
    sum(d.status = 'delivered') as delivered, sum(d.status = 'failed') as failed, sum(d.status = 'expired') as expired,
    sum(d.status in ('waiting', 'pending', 'sending')) as open, json_array(${IN_BUCKET.join(', ')}) as latencies
  from (select subscription_id, status, created_at, delivered_at from deliveries
        where subscription_id = :subscription and tenant_id = :tenant
          and created_at >= :since - :since % :step and created_at < :until
        order by created_at desc, id desc limit ${MAX_DELIVERIES}) d
  group by 1 order by 1`

type StepRow = Omit<DeliverySeries['data'][number], 'at' | 'latencies'> & { at: number; latencies: string }

/** Deliveries by outcome and latency over time, of the caller's subscriptions. */
export async function deliverySeries(
  ctx: AuthContext,
  input: z.output<typeof DeliverySeriesInput>,
): Promise<DeliverySeries> {
  const { since, until, stepMs } = rangeOf(input, ctx.now(), STEP_MS[input.step])
  const ids = await subscriptionIds(ctx, input.subscription_id)
  const asked = ids.slice(0, MAX_SUBSCRIPTIONS)
  const { tenantId } = ctx.principal
  const found =
    asked.length === 0
      ? []
      : await ctx.db.batch<StepRow[]>(
          asked.map((subscription) =>
            ctx.db.statement(STEPS, { subscription, tenant: tenantId, since, until, step: stepMs }),
          ),
        )
  const isFull = (rows: StepRow[]): boolean =>
    rows.reduce((sum, row) => sum + row.delivered + row.failed + row.expired + row.open, 0) >= MAX_DELIVERIES
  return {
    since: iso(since),
    until: iso(until),
    step: input.step,
    bounds_ms: [...LATENCY_BOUNDS_MS],
    truncated: ids.length > asked.length || found.some(isFull),
    data: found
      .flat()
      .toSorted((a, b) => a.at - b.at)
      .map(({ at, latencies, ...row }) => ({ ...row, at: iso(at), latencies: JSON.parse(latencies) as number[] })),
  }
}

/** The subscriptions that were asked for, or the newest ones and one more. */
async function subscriptionIds(ctx: AuthContext, asked: readonly string[] | undefined): Promise<string[]> {
  const rows = await ctx.db.all<{ id: string }>(
    `select s.id from subscriptions s where ${OWN} and (:ids is null or s.id in (select value from json_each(:ids)))
     order by s.created_at desc, s.id desc limit ${MAX_SUBSCRIPTIONS + 1}`,
    { ...ownValues(ctx), ids: asked === undefined ? null : JSON.stringify(asked) },
  )
  const ids = rows.map(({ id }) => id)
  if (asked === undefined) return ids
  ctx.trail.resourceIds = [...new Set(asked)]
  const missing = asked.find((id) => !ids.includes(id))
  if (missing !== undefined) throw notFound('subscription', missing)
  return ids
}

export const deliverySeriesEndpoint = endpoint({
  method: 'get',
  path: '/v1/events/delivery-series',
  operationId: 'getDeliverySeries',
  refusals: RANGE_REFUSALS,
  tag: 'events',
  summary: 'Read deliveries over time',
  description: 'Deliveries of each of your subscriptions by outcome and latency, per hour or day.',
  scope: 'read:events',
  limit: 'read',
  audit: 'events.deliveries.series',
  query: DeliverySeriesInput,
  reply: { 200: DeliverySeriesSchema },
  errors: ['not_found'],
  example: {
    query: { since: '2026-11-21T00:00:00Z', until: '2026-11-22T00:00:00Z' },
    reply: {
      since: '2026-11-21T00:00:00.000Z',
      until: '2026-11-22T00:00:00.000Z',
      step: 'hour',
      bounds_ms: [...LATENCY_BOUNDS_MS],
      truncated: false,
      data: [
        {
          at: '2026-11-21T09:00:00.000Z',
          subscription_id: SAMPLE_IDS.subscription,
          delivered: 1,
          failed: 0,
          expired: 0,
          open: 0,
          latencies: LATENCY_BOUNDS_MS.map((_, bucket) => (bucket === 0 ? 1 : 0)).concat(0),
        },
      ],
    },
  },
}).handle(({ ctx, query }) => deliverySeries(ctx, query))
