import { z } from '@hono/zod-openapi'
import { RANGE_REFUSALS, rangeFields, rangeOf, readUsage } from '../../audit/index.ts'
import { iso } from '../../core/values/clock.ts'
import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { timestamp } from '../../core/http/fields.ts'
import { REGIONS } from '../../core/regions.ts'
import { OUTDATED, otherModels, UNEMBEDDED } from '../embedding/pending-sql.ts'
import { forbidden, seesWholeTenant } from '../../identity/index.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/values/durations.ts'

const STEP_MS = { '5m': 5 * MINUTE_MS, hour: HOUR_MS, day: DAY_MS } as const

export const UsageInput = z.strictObject({
  ...rangeFields,
  step: z.enum(['5m', 'hour', 'day']).default('hour'),
  page_reads: z.enum(['include', 'exclude']).default('include').meta({
    description: '`exclude` omits the reads that the portal made to show its pages.',
  }),
})

const Stock = z.object({ used: z.int(), quota: z.int().nullable() })

export const UsageSchema = z
  .object({
    since: timestamp,
    until: timestamp,
    step: z.enum(['5m', 'hour', 'day']),
    whose: z.enum(['tenant', 'user']).meta({
      description:
        '`tenant` for the owner of the tenant and for those who manage one of its workspaces. Others see only their own requests and the contents of their workspaces.',
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
    reranks: z
      .object({ calls: z.int(), failures: z.int() })
      .meta({ description: 'Calls of the reranker over the whole range.' }),
    secrets: z.array(z.object({ kind: z.string(), flagged: z.int(), redacted: z.int(), refused: z.int() })).meta({
      description: 'Secrets that the guard found in writes over the whole range, by kind and by what it did.',
    }),
    items: Stock.meta({
      description: 'Current and retired items. An expired one counts until it is removed, within minutes.',
    }),
    projects: Stock,
    region: z.enum(REGIONS).optional().meta({
      description: 'Where the tenant is stored. Only for callers who see the tenant, in a deployment with regions.',
    }),
    embeddings_pending: z.int(),
    limits: z
      .array(
        z.object({
          name: z.string(),
          limit: z.int().meta({ description: 'Permits in any window.' }),
          window_seconds: z.int(),
          per: z.string().meta({
            description: 'What the limit counts by: each `user`, `key` or `subscription` has its own window.',
          }),
        }),
      )
      .meta({ description: 'The limits that apply now to the caller and to the key of this request.' }),
  })
  .openapi('Usage')

/** Of the tenant, or of those of its workspaces that `:member` is in. `:dimension` is null where nobody knows that of `:model`. */
const STOCK = `
  with mine as (select p.id from workspaces w cross join projects p on p.workspace_id = w.id
                where w.tenant_id = :tenant and w.deleted_at is null and p.deleted_at is null and (:member is null or exists
                  (select 1 from workspace_members m where m.workspace_id = w.id and m.user_id = :member))),
    ${otherModels(':model', ':dimension')}
  select (select count(*) from mine) as projects,
    (select coalesce(sum(c.items + c.retired), 0) from mine cross join project_words c on c.project_id = mine.id) as items,
    (select count(*) from mine cross join ${UNEMBEDDED} and i.project_id = mine.id)
    + (select count(*) from mine cross join ${OUTDATED} and i.project_id = mine.id) as pending`

export type Usage = z.infer<typeof UsageSchema>

/** Counts of items and projects, and of requests by result, step by step; by default of the last 24 hours. */
export async function usage(ctx: AuthContext, input: z.output<typeof UsageInput>): Promise<Usage> {
  const { since, until, stepMs } = rangeOf(input, ctx.now(), STEP_MS[input.step])
  const { tenantId, userId, permissions, routingId, credential } = ctx.principal
  if (permissions !== null)
    throw forbidden('This key is limited to projects, but usage is counted for the whole account.')
  const whole = await seesWholeTenant(ctx)
  const whose = whole ? null : userId
  const [counted, stock, limits] = await Promise.all([
    readUsage(ctx.auditDatabase(ctx.db.shard), {
      tenantId,
      userId: whose,
      since,
      until,
      stepMs,
      pageReads: input.page_reads,
    }),
    ctx.db.first<{ projects: number; items: number; pending: number }>(STOCK, {
      tenant: tenantId,
      member: whose,
      model: ctx.embedder.model,
      dimension: ctx.embedder.dimension,
    }),
    ctx.hub(routingId).limits(credential.kind === 'key' ? credential.id : null),
  ])
  const { quotas, shardRegions } = ctx.config
  const region = whole ? shardRegions.get(ctx.db.shard) : undefined
  return {
    since: iso(since),
    until: iso(until),
    step: input.step,
    whose: whole ? 'tenant' : 'user',
    ...counted,
    items: { used: stock?.items ?? 0, quota: quotas.items },
    projects: { used: stock?.projects ?? 0, quota: quotas.projects },
    ...(region ? { region } : {}),
    embeddings_pending: stock?.pending ?? 0,
    limits: limits.map(({ windowSeconds, ...limit }) => ({ ...limit, window_seconds: windowSeconds })),
  }
}

export const usageEndpoint = endpoint({
  method: 'get',
  path: '/v1/usage',
  operationId: 'getUsage',
  refusals: RANGE_REFUSALS,
  tag: 'audit',
  summary: 'Read your usage',
  description:
    'Requests by operation over time, items and projects against their quotas, and the limits that apply to the caller. Counters update within a minute.',
  scope: 'read:audit',
  limit: 'read',
  audit: 'usage.get',
  query: UsageInput,
  reply: { 200: UsageSchema },
  errors: ['forbidden'],
  example: {
    query: { since: '2026-11-21T00:00:00Z', until: '2026-11-22T00:00:00Z', step: 'hour' },
    reply: {
      since: '2026-11-21T00:00:00.000Z',
      until: '2026-11-22T00:00:00.000Z',
      step: 'hour',
      whose: 'tenant',
      data: [
        {
          at: '2026-11-21T09:00:00.000Z',
          operation: 'memory.retrieve',
          requests: 4,
          refusals: 0,
          limited: 0,
          failures: 0,
        },
      ],
      reranks: { calls: 0, failures: 0 },
      secrets: [],
      items: { used: 3, quota: null },
      projects: { used: 2, quota: null },
      embeddings_pending: 1,
      limits: [{ name: 'memory.store', limit: 10, window_seconds: 1, per: 'user' }],
    },
  },
}).handle(({ ctx, query }) => usage(ctx, query))
