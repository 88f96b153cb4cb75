import { z } from '@hono/zod-openapi'
import { iso } from '../core/values/clock.ts'
import type { OperatorContext } from '../core/context.ts'
import { PageQuery, pageOf, type Page } from '../core/http/cursor.ts'
import { endpoint } from '../core/http/endpoint.ts'
import { timestamp } from '../core/http/fields.ts'
import { SAMPLE_IDS, SAMPLE_TIME, samplePage } from '../core/sample.ts'
import { FIRST_SHARD } from '../core/shards.ts'
import { DEPLOYMENT } from '../limits/index.ts'
import { ACCOUNT_CLASSES } from '../limits/table.ts'
import { newestOfShards } from './newest-of-shards.ts'

const SettingsSchema = z
  .object({
    subject: z.string().meta({ description: '`deployment`, or the id of a tenant, a user or an API key.' }),
    tenant_id: z.string().nullable(),
    updated_at: timestamp,
    limits: z.array(z.object({ name: z.string(), account_class: z.enum(ACCOUNT_CLASSES), set: z.int() })),
  })
  .openapi('OperatorSettings')

type OperatorSettings = z.infer<typeof SettingsSchema>

interface SettingsRow {
  id: string
  tenant_id: string | null
  /** Of its newest setting. */
  created_at: number
  limits: string
}

/** Each shard has a copy of the deployment's settings (`spread.ts`): that of the first one counts. */
const LIST = `
  select * from (
    select subject as id, max(tenant_id) as tenant_id, max(updated_at) as created_at, json_group_array(json_object(
      'name', name, 'account_class', account_class, 'set', permits)) as limits
    from limit_settings where subject <> '${DEPLOYMENT}' or :is_first group by subject)
  where (created_at, id) < (:before, :before_id) order by created_at desc, id desc limit :limit`

/** One page of the subjects that have limits of their own, over all shards. */
export const listLimits = (ctx: OperatorContext, page: z.output<typeof PageQuery>): Promise<Page<OperatorSettings>> =>
  newestOfShards(
    ctx,
    page,
    (shard, { createdAt, id, limit }) =>
      ctx.database(shard).all<SettingsRow>(LIST, {
        before: createdAt,
        before_id: id,
        limit,
        is_first: shard === FIRST_SHARD ? 1 : 0,
      }),
    toSettings,
  )

const toSettings = ({ id, tenant_id, created_at, limits }: SettingsRow): OperatorSettings => ({
  subject: id,
  tenant_id,
  updated_at: iso(created_at),
  limits: JSON.parse(limits) as OperatorSettings['limits'],
})

export const listLimitsEndpoint = endpoint({
  method: 'get',
  path: '/v1/operator/limits',
  operationId: 'listLimits',
  tag: 'operator',
  summary: 'List subjects with limits of their own',
  description: 'The deployment, tenants, users and keys that have limits set, most recently changed first.',
  scope: null,
  auth: 'operator',
  limit: 'operator',
  audit: null,
  query: PageQuery,
  reply: { 200: pageOf(SettingsSchema) },
  errors: ['dependency_unavailable'],
  example: {
    reply: samplePage({
      subject: SAMPLE_IDS.key,
      tenant_id: SAMPLE_IDS.tenant,
      updated_at: SAMPLE_TIME,
      limits: [{ name: 'api-key', account_class: 'users' as const, set: 100 }],
    }),
  },
}).handle(({ ctx, query }) => listLimits(ctx, query))
