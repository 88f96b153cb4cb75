import { z } from '@hono/zod-openapi'
import { and, desc, eq, lt } from 'drizzle-orm'
import type { AuthContext } from '../../core/context.ts'
import { query } from '../../core/database/query.ts'
import { listOrder, PageQuery, pageOf, type Page } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS, SAMPLE_TIME, samplePage } from '../../core/sample.ts'
import { AttemptSchema, toAttempt, type AttemptRow } from './delivery.ts'
import { delivery_attempts } from '../table.ts'
import { ownDelivery } from './own-delivery.ts'

const lastFirst = listOrder(z.tuple([z.number()]), [Number.MAX_SAFE_INTEGER], (row: AttemptRow) => [row.number])

const attemptsBefore = query((db, page: { delivery: string; tenant: string; before: number; limit: number }) =>
  db
    .select()
    .from(delivery_attempts)
    .where(
      and(
        eq(delivery_attempts.delivery_id, page.delivery),
        eq(delivery_attempts.tenant_id, page.tenant),
        lt(delivery_attempts.number, page.before),
      ),
    )
    .orderBy(desc(delivery_attempts.number))
    .limit(page.limit),
)

/** Attempts of one delivery, newest first. */
export async function listAttempts(
  ctx: AuthContext,
  id: string,
  input: z.output<typeof PageQuery>,
): Promise<Page<z.infer<typeof AttemptSchema>>> {
  await ownDelivery(ctx, id)
  const [before] = lastFirst.after(input)
  const tenant = ctx.principal.tenantId
  const rows = await ctx.db.all(attemptsBefore, { delivery: id, tenant, before, limit: input.limit + 1 })
  return lastFirst.page(rows, input, toAttempt)
}

export const listAttemptsEndpoint = endpoint({
  method: 'get',
  path: '/v1/events/deliveries/{id}/attempts',
  operationId: 'listDeliveryAttempts',
  tag: 'events',
  summary: 'List the attempts of a delivery',
  scope: 'read:events',
  limit: 'read',
  audit: 'events.deliveries.attempts',
  params: IdParams,
  query: PageQuery,
  reply: { 200: pageOf(AttemptSchema) },
  errors: ['not_found'],
  example: {
    params: { id: SAMPLE_IDS.delivery },
    reply: samplePage({
      id: SAMPLE_IDS.attempt,
      delivery_id: SAMPLE_IDS.delivery,
      number: 1,
      started_at: SAMPLE_TIME,
      duration_ms: 84,
      status_code: 200,
      error: null,
      response: 'ok',
    }),
  },
}).handle(({ ctx, params, query }) => listAttempts(ctx, params.id, query))
