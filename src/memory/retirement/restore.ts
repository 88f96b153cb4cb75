import type { AuthContext } from '../../core/context.ts'
import { endpoint, linksTo, Reply } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { etagOf, readIfMatch } from '../etag.ts'
import { MemoryItemOrWritten } from '../item-written.ts'
import { toMemoryItem, type MemoryItem } from '../item.ts'
import { SAMPLE_ITEM } from '../sample.ts'
import { applyOne } from '../write/apply.ts'

/**
 * Makes a retired item current again, and embeds it. 404 for one that has expired or that the caller may not read, 403 for
 * one that it may not change, 412 for another version than `ifMatch`, 409 for one that is current.
 */
export async function restore(
  ctx: AuthContext,
  target: { id: string; ifMatch: ReadonlySet<number> | null },
): Promise<MemoryItem> {
  const result = await applyOne(ctx, { op: 'restore', ...target })
  if (result.kind !== 'done') throw new Error('a restore results in an item')
  return toMemoryItem(result.row)
}

export const restoreItemEndpoint = endpoint({
  method: 'post',
  path: '/v1/memory/items/{id}/restore',
  operationId: 'restoreMemory',
  tag: 'memory',
  summary: 'Restore a retired memory item',
  description:
    'The item is current again, in a new version without reason and successor, and is embedded again. With `If-Match`, ' +
    'returns 412 unless the item is at that version.',
  scope: 'write:memory',
  reads: 'read:memory',
  limit: 'write',
  audit: 'memory.restore',
  params: IdParams,
  reply: { 200: MemoryItemOrWritten },
  links: linksTo(['retrieveMemory', 'getMemory', 'retireMemory']),
  errors: ['not_found', 'forbidden', 'conflict', 'precondition_failed'],
  example: {
    params: { id: SAMPLE_IDS.memory },
    reply: { ...SAMPLE_ITEM, embedding_status: 'pending', embedding_model: null, version: 3 },
  },
}).handle(async ({ ctx, params, request }) => {
  const item = await restore(ctx, { id: params.id, ifMatch: readIfMatch(request.headers.get('if-match')) })
  return new Reply(200, item, { ETag: etagOf(item) })
})
