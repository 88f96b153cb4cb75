import { z } from '@hono/zod-openapi'
import { iso } from '../core/values/clock.ts'
import type { OperatorContext } from '../core/context.ts'
import { PageQuery, pageOf, type Page } from '../core/http/cursor.ts'
import { endpoint } from '../core/http/endpoint.ts'
import { anyId, idOf, timestamp } from '../core/http/fields.ts'
import { SAMPLE_IDS, SAMPLE_TIME, samplePage } from '../core/sample.ts'
import { ACCOUNT_CLASSES } from '../limits/table.ts'
import { newestOfShards } from './newest-of-shards.ts'
import type { operator_changes } from './table.ts'

export const ListChanges = PageQuery.extend({ subject: anyId.optional() })

const ChangeSchema = z
  .object({
    id: idOf('aud'),
    at: timestamp,
    operator: z.string().meta({
      description:
        'The id of the key in `OPERATOR_KEYS`; `key_rotation` if a key was rotated and its successor took over its limits.',
    }),
    subject: z.string(),
    tenant_id: z.string().nullable(),
    changes: z.array(
      z.object({
        name: z.string(),
        account_class: z.enum(ACCOUNT_CLASSES),
        from: z.int().nullable(),
        to: z.int().nullable(),
      }),
    ),
    request_id: z.string(),
  })
  .openapi('OperatorChange')

type OperatorChange = z.infer<typeof ChangeSchema>
type ChangeRow = typeof operator_changes.$inferSelect

const LIST = `
  select * from operator_changes where (created_at, id) < (:before, :before_id) and (:subject is null or subject = :subject)
  order by created_at desc, id desc limit :limit`

/** One page of the changes of operators, over all shards. */
export const listChanges = (
  ctx: OperatorContext,
  { subject, ...page }: z.output<typeof ListChanges>,
): Promise<Page<OperatorChange>> =>
  newestOfShards(
    ctx,
    page,
    (shard, { createdAt, id, limit }) =>
      ctx.database(shard).all<ChangeRow>(LIST, { before: createdAt, before_id: id, subject: subject ?? null, limit }),
    toChange,
  )

const toChange = ({ created_at, changes, ...row }: ChangeRow): OperatorChange => ({
  ...row,
  at: iso(created_at),
  changes: JSON.parse(changes) as OperatorChange['changes'],
})

export const listChangesEndpoint = endpoint({
  method: 'get',
  path: '/v1/operator/changes',
  operationId: 'listOperatorChanges',
  tag: 'operator',
  summary: 'List changes made by operators',
  description: 'The audit log of the operators, newest first. It is kept forever, and no tenant can see it.',
  scope: null,
  auth: 'operator',
  limit: 'operator',
  audit: null,
  query: ListChanges,
  reply: { 200: pageOf(ChangeSchema) },
  errors: ['dependency_unavailable'],
  example: {
    query: { subject: SAMPLE_IDS.key },
    reply: samplePage({
      id: SAMPLE_IDS.operatorChange,
      at: SAMPLE_TIME,
      operator: 'k1',
      subject: SAMPLE_IDS.key,
      tenant_id: SAMPLE_IDS.tenant,
      changes: [{ name: 'api-key', account_class: 'users', from: null, to: 100 }],
      request_id: SAMPLE_IDS.operatorRequest,
    }),
  },
}).handle(({ ctx, query }) => listChanges(ctx, query))
