import type { AuthContext } from '../../core/context.ts'
import { endpoint, linksTo, Reply } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { guardOne } from '../guard/guard.ts'
import { warned } from '../warnings.ts'
import { applyOne } from '../write/apply.ts'
import { updateTells } from '../write/operation.ts'
import { etagOf, readIfMatch } from '../etag.ts'
import { MemoryItemOrWritten } from '../item-written.ts'
import { toMemoryItem, UpdateInput, type MemoryItem } from '../item.ts'
import { ITEM_REFUSALS } from '../refusals.ts'
import { SAMPLE_ITEM } from '../sample.ts'

/**
 * Changes the fields that `input` names; a changed text, namespace or visibility embeds the item again. `ifMatch` holds the
 * versions that the caller expects (412), null for any. 404 for an item that the caller may not read, 403 for one that it may
 * not change.
 */
export async function update(
  ctx: AuthContext,
  change: { id: string; input: UpdateInput; ifMatch: ReadonlySet<number> | null },
): Promise<MemoryItem> {
  ctx.trail.resourceIds = [change.id]
  const { operation, warnings } = await guardOne(ctx, { op: 'update', ...change })
  const result = await applyOne(ctx, operation)
  if (result.kind !== 'done') throw new Error('an update results in an item')
  return Object.assign(toMemoryItem(result.row), warned(warnings))
}

export const updateItemEndpoint = endpoint({
  method: 'patch',
  path: '/v1/memory/items/{id}',
  operationId: 'updateMemory',
  refusals: { ...ITEM_REFUSALS, immutable: '`project_id` is another project, or `subject` is another subject' },
  tag: 'memory',
  summary: 'Update a memory item',
  description:
    'Omitted fields do not change. `metadata`, `tags` and `permissions` are replaced as a whole. With `merge_metadata`, ' +
    '`metadata` changes only the keys that it names; this and a `subject` also need `read:memory`. `ttl` counts from ' +
    'now; null clears it. With `If-Match`, returns 412 unless the item is at that version.',
  scope: 'write:memory',
  scopeForBody: (body: UpdateInput) => (updateTells(body) ? 'read:memory' : null),
  reads: 'read:memory',
  limit: 'write',
  audit: 'memory.update',
  params: IdParams,
  body: UpdateInput,
  reply: { 200: MemoryItemOrWritten },
  links: linksTo(['retrieveMemory', 'getMemory', 'listMemoryVersions']),
  errors: ['not_found', 'forbidden', 'custom_id_taken', 'conflict', 'precondition_failed'],
  example: {
    params: { id: SAMPLE_IDS.memory },
    body: { content: { text: 'Ada is allergic to peanuts and cashews.' } },
    reply: {
      ...SAMPLE_ITEM,
      content: { ...SAMPLE_ITEM.content, text: 'Ada is allergic to peanuts and cashews.' },
      embedding_status: 'pending',
      version: 2,
    },
  },
}).handle(async ({ ctx, params, body, request }) => {
  const item = await update(ctx, { id: params.id, input: body, ifMatch: readIfMatch(request.headers.get('if-match')) })
  return new Reply(200, item, { ETag: etagOf(item) })
})
