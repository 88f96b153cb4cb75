import { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { endpoint, linksTo, Reply } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS, SAMPLE_TIME } from '../../core/sample.ts'
import { etagOf, readIfMatch } from '../etag.ts'
import { guardOne } from '../guard/guard.ts'
import { ITEM_REFUSALS } from '../refusals.ts'
import { MemoryItemOrWritten } from '../item-written.ts'
import { toMemoryItem, type MemoryItem } from '../item.ts'
import { SAMPLE_ITEM } from '../sample.ts'
import { warned } from '../warnings.ts'
import { applyOne } from '../write/apply.ts'
import { RetiredReason } from './retired-fields.ts'

export const RetireInput = z.strictObject({ reason: RetiredReason.nullish() }).openapi('MemoryRetirement')

/**
 * Retires an item: it is no longer true, and keeps all that it holds. 404 for one that the caller may not read, 403 for one
 * that it may not change, 412 for another version than `ifMatch`, 409 for one that is retired.
 */
export async function retire(
  ctx: AuthContext,
  target: { id: string; reason: string | null; ifMatch: ReadonlySet<number> | null },
): Promise<MemoryItem> {
  const { operation, warnings } = await guardOne(ctx, { op: 'retire', ...target })
  const result = await applyOne(ctx, operation)
  if (result.kind !== 'done') throw new Error('a retirement results in an item')
  return Object.assign(toMemoryItem(result.row), warned(warnings))
}

export const retireItemEndpoint = endpoint({
  method: 'post',
  path: '/v1/memory/items/{id}/retire',
  operationId: 'retireMemory',
  refusals: { secret_found: ITEM_REFUSALS.secret_found },
  tag: 'memory',
  summary: 'Retire a memory item',
  description:
    'For a memory that is no longer true. Search, lists and `q` leave it out; a read by its id and a list with `status` ' +
    'show it. It keeps its `custom_id`, its `ttl` runs on, and `restore` brings it back. With `If-Match`, returns 412 unless ' +
    'the item is at that version.',
  scope: 'write:memory',
  reads: 'read:memory',
  limit: 'write',
  audit: 'memory.retire',
  params: IdParams,
  body: RetireInput.optional(),
  reply: { 200: MemoryItemOrWritten },
  links: linksTo(['retrieveMemory', 'getMemory', 'restoreMemory']),
  errors: ['not_found', 'forbidden', 'conflict', 'precondition_failed'],
  example: {
    params: { id: SAMPLE_IDS.memory },
    body: { reason: 'She outgrew it.' },
    reply: {
      ...SAMPLE_ITEM,
      version: 2,
      status: 'retired',
      retired_at: SAMPLE_TIME,
      retired_reason: 'She outgrew it.',
      superseded_by: null,
    },
  },
}).handle(async ({ ctx, params, body, request }) => {
  const ifMatch = readIfMatch(request.headers.get('if-match'))
  const item = await retire(ctx, { id: params.id, reason: body?.reason ?? null, ifMatch })
  return new Reply(200, item, { ETag: etagOf(item) })
})
