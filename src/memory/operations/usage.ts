import { z } from '@hono/zod-openapi'
import { readUsage } from '../../audit/index.ts'
import { iso } from '../../core/values/clock.ts'
import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { invalid } from '../../core/errors.ts'
import { timestamp } from '../../core/http/fields.ts'
import { forbidden, seesWholeTenant } from '../../identity/index.ts'

const MINUTE_MS = 60_000
const STEP_MS = { '5m': 5 * MINUTE_MS, hour: 60 * MINUTE_MS, day: 1_440 * MINUTE_MS } as const
/** One answer has at most this many steps: a day in five minutes, twelve days in hours, a year in days. */
const MAX_STEPS = 400

const instant = z.iso
  .datetime({ offset: true })
  .transform((at) => Date.parse(at))
  .optional()
  .openapi({ type: 'string', format: 'date-time' })

export const UsageInput = z.strictObject({
  since: instant,
  until: instant,
  step: z.enum(['5m', 'hour', 'day']).default('hour'),
})

const Stock = z.object({ used: z.int(), quota: z.int().nullable() })

export const UsageSchema = z
  .object({
    since: timestamp,
    until: timestamp,
    step: z.enum(['5m', 'hour', 'day']),
    whose: z.enum(['tenant', 'user']).meta({
      description:
        'The owner of the tenant and those who manage a workspace of theirs see the tenant. Others see their requests, and what their workspaces hold.',
    }),
    data: z.array(
      z.object({
        at: timestamp.meta({ description: 'Start of the step.' }),
        operation: z.string(),
        requests: z.int(),
        refusals: z.int().meta({ description: '4xx without 429.' }),
        limited: z.int().meta({ description: '429.' }),
        failures: z.int().meta({ description: '5xx.' }),
      }),
    ),
    items: Stock.meta({ description: 'An expired item counts until it is swept, within minutes.' }),
    projects: Stock,
    embeddings_pending: z.int(),
  })
  .openapi('Usage')

/** Of the tenant ?1, or of those of its workspaces that the user ?2 is in. */
const STOCK = `
  with mine as (select p.id from workspaces w cross join projects p on p.workspace_id = w.id
                where w.tenant_id = ?1 and w.deleted_at is null and p.deleted_at is null and (?2 is null or exists
                  (select 1 from workspace_members m where m.workspace_id = w.id and m.user_id = ?2)))
  select (select count(*) from mine) as projects,
    (select coalesce(sum(c.items), 0) from mine cross join project_words c on c.project_id = mine.id) as items,
    (select count(*) from mine cross join memory_items i indexed by memory_items_unembedded on i.project_id = mine.id
     where i.embedding_status in ('pending', 'processing') and i.deleted_at is null) as pending`

export type Usage = z.infer<typeof UsageSchema>

/** Counts of items and projects, and of requests by result, step by step; by default of the last 24 hours. */
export async function usage(ctx: AuthContext, input: z.output<typeof UsageInput>): Promise<Usage> {
  const stepMs = STEP_MS[input.step]
  const until = input.until ?? ctx.now()
  const since = input.since ?? until - 24 * 60 * MINUTE_MS
  if (since >= until) throw invalid('since', 'empty_range', 'since has to lie before until.')
  if ((until - since) / stepMs > MAX_STEPS)
    throw invalid('step', 'too_many_steps', `At most ${MAX_STEPS} steps in one answer: choose a longer step.`)
  const { tenantId, userId, permissions } = ctx.principal
  if (permissions !== null)
    throw forbidden('This key is limited to projects, and usage is counted for the whole account.')
  const whole = await seesWholeTenant(ctx)
  const whose = whole ? null : userId
  const [data, stock] = await Promise.all([
    readUsage(ctx, { tenantId, userId: whose, since, until, stepMs }),
    ctx.db.first<{ projects: number; items: number; pending: number }>(STOCK, tenantId, whose),
  ])
  const { quotas } = ctx.config
  return {
    since: iso(since),
    until: iso(until),
    step: input.step,
    whose: whole ? 'tenant' : 'user',
    data,
    items: { used: stock?.items ?? 0, quota: quotas.items },
    projects: { used: stock?.projects ?? 0, quota: quotas.projects },
    embeddings_pending: stock?.pending ?? 0,
  }
}

export const usageEndpoint = endpoint({
  method: 'get',
  path: '/v1/usage',
  tag: 'audit',
  summary: 'Read your usage',
  description:
    'Requests by operation over time, and items and projects against their quotas. Counters show within a minute.',
  scope: 'read:audit',
  limit: 'read',
  audit: 'usage.get',
  query: UsageInput,
  reply: { 200: UsageSchema },
  errors: ['forbidden'],
  example: { query: { since: '2026-11-20T00:00:00Z', until: '2026-11-21T00:00:00Z', step: 'hour' } },
}).handle(({ ctx, query }) => usage(ctx, query))
