import { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { MAX_BATCH_OPERATIONS } from '../../limits/index.ts'
import { ACCESS_JOINS, accessValues, alive, readable } from '../access.ts'
import { batch, OPS, type BatchReport, type BatchResult } from './batch.ts'
import { ITEM_COLUMNS, MemoryItemSchema, toMemoryItem, type ItemRow } from '../item.ts'

const MAX_BYTES = 16 * 1024 * 1024

const BatchBody = z
  .strictObject({
    operations: z
      .array(
        z.unknown().openapi('BatchOperation', {
          type: 'object',
          properties: { op: { type: 'string', enum: [...OPS] }, id: { type: 'string' } },
          required: ['op'],
          description:
            '`store` takes the fields of `POST /api/memory/store` but `wait_ms`; `update` an `id` and the fields of ' +
            '`PATCH /v1/memory/items/{id}`; `delete` and `retrieve` an `id`.',
        }),
      )
      .min(1)
      .max(MAX_BATCH_OPERATIONS),
    atomic: z.boolean().optional().meta({ description: 'All or nothing.' }),
  })
  .openapi('Batch')

const BatchReportSchema = z
  .object({
    results: z.array(
      z.object({
        index: z.int(),
        op: z.enum(OPS).nullable(),
        status: z.enum(['success', 'error', 'skipped']),
        id: z.string().optional(),
        item: MemoryItemSchema.optional(),
        error: z.object({ status: z.int(), code: z.string(), detail: z.string() }).optional(),
      }),
    ),
    success_count: z.int(),
    error_count: z.int(),
  })
  .openapi('BatchReport')

/** What an idempotency key keeps of a report: all but the items, which a replay shows as they are now. */
const kept = (report: BatchReport): string =>
  JSON.stringify({ ...report, results: report.results.map((result) => ({ ...result, item: undefined })) })

const FIND = `select ${ITEM_COLUMNS} from json_each(?5) e cross join memory_items i on i.id = e.value ${ACCESS_JOINS}
  where ${alive()} and ${readable()}`

async function replayed(ctx: AuthContext, resource: string): Promise<BatchReport> {
  const report = JSON.parse(resource) as BatchReport
  const ids = report.results.filter((result) => result.op !== 'delete').map((result) => result.id)
  const rows = await ctx.db.all<ItemRow>(FIND, ...accessValues(ctx), JSON.stringify(ids))
  const items = new Map(rows.map((row) => [row.id, toMemoryItem(row)]))
  const now = (result: BatchResult): BatchResult => {
    const item = result.op === 'delete' || result.id === undefined ? undefined : items.get(result.id)
    return item ? { ...result, item } : result
  }
  return { ...report, results: report.results.map(now) }
}

export const batchEndpoint = endpoint({
  method: 'post',
  path: '/api/memory/batch',
  tag: 'memory',
  summary: 'Run up to 50 operations',
  description:
    'In order, later operations seeing earlier ones; each may name its own project, and each has its own outcome: one ' +
    'bad operation never spoils the others, unless `atomic` is true: then nothing is written and the answer is 422 ' +
    'with `results`. `retrieve` needs `read:memory`, the others `write:memory`.',
  scope: ['read:memory', 'write:memory'],
  limit: 'memory.batch',
  audit: 'memory.batch',
  maxBytes: MAX_BYTES,
  body: BatchBody,
  reply: { 200: BatchReportSchema },
  idempotent: { mode: 'claimed', resource: kept, replay: replayed },
  example: {
    body: {
      operations: [
        { op: 'store', content: 'The user lives in Lisbon.', custom_id: 'home' },
        { op: 'update', id: 'mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG', tags: ['checked'] },
        { op: 'delete', id: 'mem_01K8E3Z4T7Q9V6N2M5B8C1D0FH' },
      ],
    },
  },
}).handle(({ ctx, body }) => batch(ctx, body))
