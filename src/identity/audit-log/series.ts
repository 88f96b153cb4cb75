import { z } from '@hono/zod-openapi'
import {
  BACKLOG_COUNTED_TO,
  BUCKETS,
  DURATION_BOUNDS_MS,
  MAX_NAMES,
  RANGE_REFUSALS,
  rangeFields,
  rangeOf,
  readBacklog,
  readSeries,
  SERIES_BY,
} from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { onlyTrue, timestamp } from '../../core/http/fields.ts'
import { iso } from '../../core/values/clock.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { forbidden, seesWholeTenant } from '../access.ts'
import { auditVisibility } from './visibility.ts'
import { DAY_MS, HOUR_MS } from '../../core/values/durations.ts'

const STEP_MS = { hour: HOUR_MS, day: DAY_MS } as const

export const SeriesInput = z.strictObject({
  ...rangeFields,
  step: z.enum(['hour', 'day']).default('hour'),
  by: z.enum(SERIES_BY).default('operation'),
  page_reads: z.enum(['include', 'exclude']).default('include').meta({
    description: '`exclude` omits the reads that the portal made to show its pages.',
  }),
})

export const SeriesSchema = z
  .object({
    since: timestamp,
    until: timestamp,
    step: z.enum(['hour', 'day']),
    by: z.enum(SERIES_BY),
    whose: z.enum(['tenant', 'user']),
    bounds_ms: z.array(z.int()).meta({
      description: `Inclusive upper bounds of the first ${DURATION_BOUNDS_MS.length} buckets of \`durations\`. The last bucket has no bound.`,
    }),
    data: z.array(
      z.object({
        at: timestamp.meta({ description: 'Start of the step.' }),
        name: z.string().meta({
          description:
            'An operation, an outcome, a project, or a credential: the id of a key or an application, else `session` or `portal`. `none`: no project. `other`: everything that is not listed separately.',
        }),
        requests: z.int(),
        refusals: z.int().meta({ description: '4xx without 429.' }),
        limited: z.int().meta({ description: '429.' }),
        failures: z.int().meta({ description: '5xx.' }),
        total_ms: z.int().meta({ description: 'Sum of the durations.' }),
        durations: z
          .array(z.int())
          .length(BUCKETS)
          .meta({ description: 'Number of requests in each bucket of duration.' }),
      }),
    ),
    embedding_backlog: z
      .array(
        z.object({
          at: timestamp,
          waiting: z.int(),
          truncated: onlyTrue.optional().meta({
            description: `The count stopped at ${BACKLOG_COUNTED_TO} items of all tenants: there are \`waiting\` or more.`,
          }),
        }),
      )
      .nullable()
      .meta({
        description:
          'The highest number of items of the tenant seen waiting for their embedding in each step. Null if the caller cannot see figures of the tenant.',
      }),
  })
  .openapi('UsageSeries')
export type UsageSeries = z.infer<typeof SeriesSchema>

/** Requests and their durations by the hour or the day, and the embedding backlog; by default of the last 24 hours. */
export async function usageSeries(ctx: AuthContext, input: z.output<typeof SeriesInput>): Promise<UsageSeries> {
  const range = rangeOf(input, ctx.now(), STEP_MS[input.step])
  const { tenantId, userId, permissions } = ctx.principal
  if (permissions !== null)
    throw forbidden('This key is limited to projects, but usage is counted for the whole account.')
  const [whole, visibility] = await Promise.all([seesWholeTenant(ctx), auditVisibility(ctx)])
  const asked = { ...range, tenantId }
  const audit = ctx.auditDatabase(ctx.db.shard)
  const [data, backlog] = await Promise.all([
    readSeries(audit, {
      ...asked,
      userId: whole ? null : userId,
      by: input.by,
      visibility,
      pageReads: input.page_reads,
    }),
    whole ? readBacklog(audit, asked) : null,
  ])
  return {
    since: iso(range.since),
    until: iso(range.until),
    step: input.step,
    by: input.by,
    whose: whole ? 'tenant' : 'user',
    bounds_ms: [...DURATION_BOUNDS_MS],
    data,
    embedding_backlog: backlog,
  }
}

const sampleStep = (name: string, requests: number, total_ms: number): UsageSeries['data'][number] => ({
  at: '2026-11-21T09:00:00.000Z',
  name,
  requests,
  refusals: 0,
  limited: 0,
  failures: 0,
  total_ms,
  durations: DURATION_BOUNDS_MS.map((_, bucket) => (bucket === 0 ? requests : 0)).concat(0),
})

export const usageSeriesEndpoint = endpoint({
  method: 'get',
  path: '/v1/usage/series',
  operationId: 'getUsageSeries',
  refusals: RANGE_REFUSALS,
  tag: 'audit',
  summary: 'Read your usage over time',
  description: `Requests and their durations per hour or day of the last 30 days, by operation, credential, project or outcome. The ${MAX_NAMES} credentials or projects with the most requests are listed separately. Counters update within a minute.`,
  scope: 'read:audit',
  limit: 'read',
  audit: 'usage.series',
  query: SeriesInput,
  reply: { 200: SeriesSchema },
  errors: ['forbidden'],
  example: {
    query: { since: '2026-11-21T00:00:00Z', until: '2026-11-22T00:00:00Z', by: 'project' },
    reply: {
      since: '2026-11-21T00:00:00.000Z',
      until: '2026-11-22T00:00:00.000Z',
      step: 'hour',
      by: 'project',
      whose: 'tenant',
      bounds_ms: [...DURATION_BOUNDS_MS],
      data: [sampleStep('none', 31, 420), sampleStep(SAMPLE_IDS.defaultProject, 14, 162)],
      embedding_backlog: [{ at: '2026-11-21T09:00:00.000Z', waiting: 2 }],
    },
  },
}).handle(({ ctx, query }) => usageSeries(ctx, query))
