import { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { endpoint, linksTo, Reply } from '../../core/http/endpoint.ts'
import { asNew } from '../../core/http/written.ts'
import { DAY_SECONDS } from '../../core/values/durations.ts'
import { SAMPLE_TEXT } from '../../core/sample.ts'
import { embedItems } from '../embedding/embed.ts'
import { etagOf, readIfAbsent } from '../etag.ts'
import { MemoryItemOrWritten } from '../item-written.ts'
import { storeFields, type MemoryItem, type StoreInput } from '../item.ts'
import { guardOne } from '../guard/guard.ts'
import { warned, type Warning } from '../warnings.ts'
import { applyOne } from '../write/apply.ts'
import { itemOf, storeTells } from '../write/operation.ts'
import { retrieve } from './retrieve.ts'
import { ITEM_REFUSALS, STORE_REFUSALS } from '../refusals.ts'
import { SAMPLE_ITEM } from '../sample.ts'

export interface Stored {
  status: 200 | 201
  item: MemoryItem
  /** An earlier request with the same idempotency key stored the item. */
  replayed: boolean
  /** Secrets that the write holds. */
  warnings: readonly Warning[]
}

/**
 * Stores a text. 201 for a new item; 200 where it updates the item of its `custom_id` or, with `deduplicate`, finds an
 * equal text. 404 or 422 for a hidden project, 403 for one that the caller may only read, 409 `custom_id_taken`. With
 * `ifAbsent`, 412 where an item has the `custom_id`.
 */
export async function store(
  ctx: AuthContext,
  input: StoreInput,
  { ifAbsent = false }: { ifAbsent?: boolean } = {},
): Promise<Stored> {
  ctx.trail.projectId = input.context?.project_id ?? ctx.principal.defaultProjectId
  const { operation, warnings } = await guardOne(ctx, { op: 'store', input, ifAbsent })
  const result = await applyOne(ctx, operation, { keyed: true })
  if (result.kind === 'replay') {
    return {
      status: result.status === 200 ? 200 : 201,
      item: await retrieve(ctx, { id: result.resource }),
      replayed: true,
      warnings,
    }
  }
  if (result.kind !== 'done') throw new Error('a store results in an item')
  return { status: result.status, item: itemOf(result), replayed: false, warnings }
}

const POLL_MS = 100
const MAX_WAIT_MS = 10_000

/**
 * Embeds an item of this request right away, with the verb that the queue's consumer uses. It answers the item as it is
 * after at most `waitMs`; the embedding goes on after the answer.
 */
export async function awaitEmbedding(ctx: AuthContext, item: MemoryItem, waitMs: number): Promise<MemoryItem> {
  const until = ctx.now() + waitMs
  const work = embedItems(ctx, ctx.db, [item.id])
  ctx.waitUntil(work)
  await Promise.race([work.catch(() => undefined), scheduler.wait(waitMs)])
  for (;;) {
    const now = await retrieve(ctx, { id: item.id })
    // Another worker may hold the item. This request then polls until that one is done.
    const held = now.embedding_status === 'processing' && now.version === item.version
    if (!held || ctx.now() >= until) return now
    await scheduler.wait(POLL_MS)
  }
}

const withETag = (status: number, item: MemoryItem, headers: Record<string, string> = {}): Reply =>
  new Reply(status, item, { ...headers, ETag: etagOf(item) })

const StoreBody = z
  .strictObject({
    ...storeFields,
    wait_ms: z.int().min(0).max(MAX_WAIT_MS).optional().meta({ description: 'How long to wait for the embedding.' }),
  })
  .openapi('MemoryItemStore')

export const storeEndpoint = endpoint({
  method: 'post',
  path: '/api/memory/store',
  operationId: 'storeMemory',
  refusals: {
    ...ITEM_REFUSALS,
    ...STORE_REFUSALS,
    immutable: 'the item with this `custom_id` has another `subject`',
    required: '`If-None-Match` is sent without a `custom_id`',
  },
  tag: 'memory',
  summary: 'Store a memory item',
  description:
    'Returns 201 with the new item. Keyword search finds it immediately, semantic search when `embedding_status` is ' +
    '`completed`. Storing again under the same `custom_id` updates that item (200); with `If-None-Match: *` it returns 412 and changes nothing. `deduplicate`, and a `subject` beside a `custom_id`, also need `read:memory`. `supersedes` retires the items that this one replaces, in the same commit. Set a ttl, tags and a context.',
  scope: 'write:memory',
  scopeForBody: (input: StoreInput) => (storeTells(input) ? 'read:memory' : null),
  reads: 'read:memory',
  limit: 'memory.store',
  audit: 'memory.store',
  body: StoreBody,
  ifNoneMatch: 'Returns 412 if an item has the `custom_id`.',
  reply: { 201: MemoryItemOrWritten, 200: MemoryItemOrWritten },
  links: linksTo(['retrieveMemory', 'getMemory', 'updateMemory', 'deleteMemory', 'listMemoryVersions', 'embedMemory']),
  errors: ['not_found', 'forbidden', 'custom_id_taken', 'conflict', 'precondition_failed', 'quota_exceeded'],
  idempotent: {
    mode: 'committed',
    replay: async (ctx, id) => withETag(200, await retrieve(ctx, { id })),
  },
  example: {
    body: {
      content: { text: SAMPLE_TEXT, metadata: { source: 'chat' } },
      context: { scope: 'conversation', conversation_id: 'chat-17' },
      tags: ['ada', 'health'],
      ttl: 30 * DAY_SECONDS,
      custom_id: 'allergy',
    },
    reply: { ...SAMPLE_ITEM, embedding_status: 'pending', embedding_model: null },
    replies: { 200: { ...SAMPLE_ITEM, version: 2 } },
  },
}).handle(async ({ ctx, body: { wait_ms = 0, ...input }, request }) => {
  const ifAbsent = readIfAbsent(request.headers.get('if-none-match'), input)
  const { status, item: stored, replayed, warnings } = await store(ctx, input, { ifAbsent })
  const waits = wait_ms > 0 && stored.embedding_status !== 'completed'
  const item = waits ? await awaitEmbedding(ctx, stored, wait_ms) : stored
  // Nobody has changed the new item while it was embedded.
  if (status === 201 && !replayed && item.version === stored.version) asNew(item)
  Object.assign(item, warned(warnings))
  return withETag(status, item, replayed ? { 'Idempotent-Replayed': 'true' } : {})
})
