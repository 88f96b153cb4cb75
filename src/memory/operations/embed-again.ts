import { auditStatement } from '../../audit/index.ts'
import { shardOf } from '../../core/shards.ts'
import type { AuthContext } from '../../core/context.ts'
import { sql } from '../../core/database/sql.ts'
import { endpoint, linksTo, Reply } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { forbidden } from '../../identity/index.ts'
import { ACCESS_JOINS, accessParams, alive, present, writable } from '../access.ts'
import { MemoryItemOrWritten } from '../item-written.ts'
import type { MemoryItem } from '../item.ts'
import { etagOf } from '../etag.ts'
import { erasedNow, itemBeingErased } from '../erasures/being-erased.ts'
import { enqueueEmbedding, RESEND_AFTER_MS } from '../embedding/queue.ts'
import { retrieve } from './retrieve.ts'
import type { RowOf } from '../../core/database/row.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import type { memory_items } from '../table.ts'
import { SAMPLE_ITEM } from '../sample.ts'
import { restoreFirst } from '../write/plan/retire-draft.ts'

/** The columns of the earlier embedding stay, so a search uses its vectors until the new ones replace them. */
const RESET_EMBEDDING = `
  update memory_items set embedding_status = 'pending', embedding_error = null, attempts = 0, lease_id = null,
    lease_until = null, next_attempt_at = :now + ${RESEND_AFTER_MS}, write_id = :write_id
  where row in (select i.row from memory_items i ${ACCESS_JOINS} where i.id = :id and ${alive()} and ${writable()} and not ${itemBeingErased()})
    and embedding_status in ('failed', 'completed')
  returning id`

/**
 * Embeds an item again, unless it awaits its embedding anyway. 403 for an item that the caller may only read, 409 for a retired
 * one and in what is being erased.
 */
export async function embedAgain(ctx: AuthContext, { id }: { id: string }): Promise<MemoryItem> {
  ctx.trail.resourceIds = [id]
  await retrieve(ctx, { id })
  const [rows] = await ctx.db.batch<[RowOf<typeof memory_items, 'id'>, never]>([
    ctx.db.statement(RESET_EMBEDDING, { ...accessParams(ctx), id, write_id: ctx.requestId }),
    auditStatement(
      ctx,
      'memory.embed',
      sql('exists (select 1 from memory_items where id = :id and write_id = :write_id)', {
        id,
        write_id: ctx.requestId,
      }),
    ),
  ])
  if (rows.length > 0) {
    enqueueEmbedding(ctx, shardOf(ctx.principal.routingId), [id])
    return retrieve(ctx, { id })
  }
  ctx.trail.committed = false
  // Either the item awaits its embedding, or the caller may not change it, or may no longer read it.
  const now = await retrieve(ctx, { id })
  const [changeable] = await ctx.db.all<{ erased: 0 | 1 }>(
    `select ${itemBeingErased()} as erased from memory_items i ${ACCESS_JOINS} where i.id = :id and ${present()} and ${writable()}`,
    { ...accessParams(ctx), id },
  )
  if (!changeable) throw forbidden('You cannot change this item.')
  if (changeable.erased) throw erasedNow('item')
  if (now.status === 'retired') throw restoreFirst()
  return now
}

export const embedAgainEndpoint = endpoint({
  method: 'post',
  path: '/v1/memory/items/{id}/embed',
  operationId: 'embedMemory',
  tag: 'memory',
  summary: 'Embed a memory item again',
  description: 'For an item whose `embedding_status` is `failed`, or to renew a completed one.',
  scope: 'write:memory',
  reads: 'read:memory',
  limit: 'write',
  audit: 'memory.embed',
  params: IdParams,
  reply: { 202: MemoryItemOrWritten },
  links: linksTo(['retrieveMemory', 'getMemory']),
  errors: ['not_found', 'forbidden', 'conflict'],
  example: { params: { id: SAMPLE_IDS.memory }, reply: { ...SAMPLE_ITEM, embedding_status: 'pending' } },
}).handle(async ({ ctx, params }) => {
  const item = await embedAgain(ctx, params)
  return new Reply(202, item, { ETag: etagOf(item) })
})
