import { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { listOrder, PageQuery, pageOf, type Page } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { samplePage } from '../../core/sample.ts'
import { MAY_READ_RECEIPT, receiptParams } from './covered-projects.ts'
import { ErasureSchema, RECEIPT_COLUMNS, SAMPLE_ERASURE, toErasure, type Erasure, type ReceiptRow } from './erasure.ts'

const newestFirst = listOrder(z.tuple([z.number(), z.string()]), [Number.MAX_SAFE_INTEGER, ''], (row: ReceiptRow) => [
  row.requested_at,
  row.id,
])

/** The receipts that the caller may read, newest first. */
export async function listErasures(ctx: AuthContext, input: z.output<typeof PageQuery>): Promise<Page<Erasure>> {
  const [before, beforeId] = newestFirst.after(input)
  const rows = await ctx.db.all<ReceiptRow>(
    `select ${RECEIPT_COLUMNS.join(', ')} from erasures x
     where (x.requested_at, x.id) < (:before, :before_id) and ${MAY_READ_RECEIPT}
     order by x.requested_at desc, x.id desc limit :limit`,
    {
      ...receiptParams(ctx),
      before,
      before_id: beforeId,
      limit: input.limit + 1,
    },
  )
  return newestFirst.page(rows, input, toErasure)
}

export const listErasuresEndpoint = endpoint({
  method: 'get',
  path: '/v1/erasures',
  operationId: 'listErasures',
  tag: 'memory',
  summary: 'List the receipts of erasures',
  description: 'Newest first.',
  scope: 'admin:workspace',
  limit: 'read',
  audit: 'memory.erasures.list',
  query: PageQuery,
  reply: { 200: pageOf(ErasureSchema) },
  example: { reply: samplePage(SAMPLE_ERASURE) },
}).handle(({ ctx, query }) => listErasures(ctx, query))
