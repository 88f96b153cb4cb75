import { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { newestFirst, PageQuery } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import {
  OWN,
  ownValues,
  ANSWERED_COLUMNS,
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

/** The caller's subscriptions, newest first. */
export async function listSubscriptions(
  ctx: AuthContext,
  input: z.output<typeof PageQuery>,
): Promise<SubscriptionPage> {
  const [before, beforeId] = newestFirst.after(input)
  const [rows, [counted]] = await ctx.db.batch<[AnsweredSubscription, { total: number }]>([
    ctx.db.statement(
      `select ${ANSWERED_COLUMNS} from subscriptions s
       where ${OWN} and (s.created_at, s.id) < (:before, :before_id)
       order by s.created_at desc, s.id desc limit :limit`,
      { ...ownValues(ctx), now: ctx.now(), before, before_id: beforeId, limit: input.limit + 1 },
    ),
    ctx.db.statement(`select count(*) as total from subscriptions s where ${OWN}`, ownValues(ctx)),
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
  query: PageQuery,
  reply: {
    200: SubscriptionPageSchema,
  },
  example: { reply: { subscriptions: [SAMPLE_SUBSCRIPTION], total: 1, has_more: false, next_cursor: null } },
}).handle(({ ctx, query }) => listSubscriptions(ctx, query))
