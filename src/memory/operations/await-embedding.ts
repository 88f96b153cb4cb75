import type { AuthContext } from '../../core/context.ts'
import { embedItems } from '../embedding/embed.ts'
import type { MemoryItem } from '../item.ts'
import { retrieve } from './retrieve.ts'

const LOOK_EVERY_MS = 100

/**
 * Embeds an item of this request right away, with the verb that the queue's consumer uses, and answers it as it is
 * after at most `waitMs`. What is not done by then goes on after the answer.
 */
export async function awaitEmbedding(ctx: AuthContext, item: MemoryItem, waitMs: number): Promise<MemoryItem> {
  const until = ctx.now() + waitMs
  const work = embedItems(ctx, ctx.db, [item.id])
  ctx.waitUntil(work)
  await Promise.race([work.catch(() => undefined), scheduler.wait(waitMs)])
  for (;;) {
    const now = await retrieve(ctx, { id: item.id })
    // Another worker may hold it; then this one only looks on.
    const open = now.embedding_status === 'processing' && now.version === item.version
    if (!open || ctx.now() >= until) return now
    await scheduler.wait(LOOK_EVERY_MS)
  }
}
