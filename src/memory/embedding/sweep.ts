import { shardSweep } from '../../core/queue.ts'
import { takeDue } from './due.ts'
import { sendEmbedding } from './queue.ts'

/** A chain of messages ends before the minute between two sweeps is over, so that one runs at a time. */
const CHAIN_MS = 50_000

/** Sends items again that are due, and items of an outdated model. The consumer goes on with further ones. */
export const embedSweep = shardSweep('memory.embed', 1, async (system, _db, shard) => {
  const ids = await takeDue(system, shard)
  const until = system.now() + CHAIN_MS
  if (ids.length > 0) await sendEmbedding(system, [{ kind: 'embed', shard, ids, until }])
})
