import { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { newestFirst, PageQuery } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import {
  OWN,
  ownValues,
  ANSWERED_COLUMNS,
  DELIVERS_NOTHING,
  SubscriptionSchema,
  toSubscription,
  type AnsweredSubscription,
  SAMPLE_SUBSCRIPTION,
} from './subscription.ts'

const SubscriptionPageSchema = z
  .object({
    subscriptions: z.array(SubscriptionSchema),
    total: z.int(),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  })
  .openapi('Subscriptions')
export type SubscriptionPage = z.infer<typeof SubscriptionPageSchema>

export const ListSubscriptionsInput = PageQuery.extend({
  health: z.enum(['failing']).optional().meta({
    description:
      '`failing`: only those that deliver nothing. Either every attempt since `failing_since` has failed, or the service disabled the subscription because of its receiver.',
  }),
})

const LISTED = `from subscriptions s where ${OWN} and (:health is null or ${DELIVERS_NOTHING})`

/** The caller's subscriptions, newest first. */
export async function listSubscriptions(
  ctx: AuthContext,
  input: z.output<typeof ListSubscriptionsInput>,
): Promise<SubscriptionPage> {
  const [before, beforeId] = newestFirst.after(input)
  const asked = { ...ownValues(ctx), health: input.health ?? null, now: ctx.now() }
  const [rows, [counted]] = await ctx.db.batch<[AnsweredSubscription, { total: number }]>([
    ctx.db.statement(
      `select ${ANSWERED_COLUMNS} ${LISTED} and (s.created_at, s.id) < (:before, :before_id)
       order by s.created_at desc, s.id desc limit :limit`,
      { ...asked, before, before_id: beforeId, limit: input.limit + 1 },
    ),
    ctx.db.statement(`select count(*) as total ${LISTED}`, asked),
  ])
  const { data, ...rest } = newestFirst.page(rows, input, toSubscription)
  return { subscriptions: data, total: counted?.total ?? 0, ...rest }
}

export const listSubscriptionsEndpoint = endpoint({
  method: 'get',
  path: '/api/events/subscriptions',
  operationId: 'listSubscriptions',
  tag: 'events',
  summary: 'List subscriptions',
  scope: 'read:events',
  limit: 'read',
  audit: 'events.subscriptions.list',
  query: ListSubscriptionsInput,
  reply: {
    200: SubscriptionPageSchema,
  },
  example: { reply: { subscriptions: [SAMPLE_SUBSCRIPTION], total: 1, has_more: false, next_cursor: null } },
}).handle(({ ctx, query }) => listSubscriptions(ctx, query))
