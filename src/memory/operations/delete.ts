import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { applyOne } from '../write/apply.ts'
import { readIfMatch } from '../etag.ts'

/** Deletes an item. From the commit on no read finds it; its vectors follow soon after. */
export async function deleteItem(
  ctx: AuthContext,
  target: { id: string; ifMatch: ReadonlySet<number> | null },
): Promise<void> {
  await applyOne(ctx, { op: 'delete', ...target })
}

export const deleteItemEndpoint = endpoint({
  method: 'delete',
  path: '/v1/memory/items/{id}',
  operationId: 'deleteMemory',
  tag: 'memory',
  summary: 'Delete a memory item',
  description: 'With `If-Match`, returns 412 unless the item is at that version.',
  scope: 'write:memory',
  limit: 'write',
  audit: 'memory.delete',
  params: IdParams,
  reply: { 204: null },
  errors: ['not_found', 'forbidden', 'conflict', 'precondition_failed'],
  example: { params: { id: SAMPLE_IDS.memory } },
}).handle(async ({ ctx, params, request }) => {
  await deleteItem(ctx, { id: params.id, ifMatch: readIfMatch(request.headers.get('if-match')) })
})
