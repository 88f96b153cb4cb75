import { z } from '@hono/zod-openapi'
import type { AuthContext, Principal } from '../../core/context.ts'
import { endpoint, Reply } from '../../core/http/endpoint.ts'
import { notFound } from '../../core/errors.ts'
import { anyId, IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { ACCESS_JOINS, present, readableBy, readerParams } from '../access.ts'
import { matchesNone } from '../../core/http/if-none-match.ts'
import { etagOf } from '../etag.ts'
import { MemoryItemSchema, toMemoryItem, type ItemRow, type MemoryItem } from '../item.ts'
import { anyItemColumns } from '../retirement/any-item-columns.ts'
import { SAMPLE_ITEM } from '../sample.ts'

const findBy = (
  principal: Principal,
): string => `select ${anyItemColumns(principal)} from memory_items i ${ACCESS_JOINS}
  where i.id = :id and ${present()} and ${readableBy(principal)}`

/** One item by its id, current or retired. The 404 is the same for an absent, deleted, expired, foreign or hidden one. */
export async function retrieve(ctx: AuthContext, { id }: { id: string }): Promise<MemoryItem> {
  ctx.trail.resourceIds = [id]
  const row = await ctx.db.byKey.first<ItemRow>(findBy(ctx.principal), { ...readerParams(ctx), now: ctx.now(), id })
  if (!row) throw notFound('memory item', id)
  ctx.trail.projectId = row.project_id
  return toMemoryItem(row)
}

async function conditionally(ctx: AuthContext, id: string, ifNoneMatch: string | null): Promise<Reply> {
  const item = await retrieve(ctx, { id })
  const headers = { ETag: etagOf(item) }
  return matchesNone(ifNoneMatch, headers.ETag) ? new Reply(200, item, headers) : new Reply(304, undefined, headers)
}

const shared = {
  method: 'get',
  tag: 'memory',
  description: 'Returns an `ETag`. With a matching `If-None-Match`, returns 304 without a body.',
  scope: 'read:memory',
  limit: 'memory.retrieve',
  audit: 'memory.retrieve',
  reply: { 200: MemoryItemSchema, 304: null },
  errors: ['not_found'],
} as const

export const retrieveEndpoint = endpoint({
  ...shared,
  path: '/api/memory/retrieve',
  operationId: 'retrieveMemory',
  summary: 'Retrieve a memory item by its id',
  query: z.strictObject({ id: anyId }),
  example: { query: { id: SAMPLE_IDS.memory }, reply: SAMPLE_ITEM },
}).handle(({ ctx, query, request }) => conditionally(ctx, query.id, request.headers.get('if-none-match')))

export const getItemEndpoint = endpoint({
  ...shared,
  path: '/v1/memory/items/{id}',
  operationId: 'getMemory',
  summary: 'Retrieve a memory item at its own path',
  params: IdParams,
  example: { params: { id: SAMPLE_IDS.memory }, reply: SAMPLE_ITEM },
}).handle(({ ctx, params, request }) => conditionally(ctx, params.id, request.headers.get('if-none-match')))
