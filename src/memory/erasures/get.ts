import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { notFound } from '../../core/errors.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { MAY_READ_RECEIPT, receiptParams } from './covered-projects.ts'
import { ErasureSchema, RECEIPT_COLUMNS, SAMPLE_ERASURE, toErasure, type Erasure, type ReceiptRow } from './erasure.ts'

/** The receipt of an erasure. 404 for one that the caller may not read. */
export async function getErasure(ctx: AuthContext, id: string): Promise<Erasure> {
  ctx.trail.resourceIds = [id]
  const row = await ctx.db.first<ReceiptRow>(
    `select ${RECEIPT_COLUMNS.join(', ')} from erasures x where x.id = :id and ${MAY_READ_RECEIPT}`,
    { ...receiptParams(ctx), id },
  )
  if (!row) throw notFound('erasure', id)
  return toErasure(row)
}

export const getErasureEndpoint = endpoint({
  method: 'get',
  path: '/v1/erasures/{id}',
  operationId: 'getErasure',
  tag: 'memory',
  summary: 'Get the receipt of an erasure',
  description:
    'For the user who requested it, the owner of the tenant, and those who administer all of its projects. Kept for good.',
  scope: 'admin:workspace',
  limit: 'read',
  audit: 'memory.erasures.get',
  params: IdParams,
  reply: { 200: ErasureSchema },
  errors: ['not_found'],
  example: { params: { id: SAMPLE_IDS.erasure }, reply: SAMPLE_ERASURE },
}).handle(({ ctx, params }) => getErasure(ctx, params.id))
