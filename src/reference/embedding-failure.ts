import type { System } from '../core/context.ts'
import type { Database } from '../core/database/database.ts'
import { wrongDimension } from '../core/embedding.ts'

/** Why items of a shard wait for their embedding, as their last attempts tell. */
export interface EmbeddingFailure {
  error: string
  /** The model answers vectors of another dimension than is expected. No item can be embedded until that is mended. */
  of_dimension: 0 | 1
}

/**
 * Looks at the items whose attempts are due last. An error of a wrong dimension has the text `:before`, then what came, then
 * `:after`.
 */
const LATEST = `
  select embedding_error as error,
    coalesce(substr(embedding_error, 1, length(:before)) = :before and substr(embedding_error, -length(:after)) = :after, 0) as of_dimension
  from (
    select i.embedding_error, i.next_attempt_at from memory_items i indexed by memory_items_to_embed
    where i.embedding_status in ('pending', 'processing') and i.deleted_at is null
    order by i.next_attempt_at desc limit 100)
  where embedding_error is not null order by of_dimension desc, next_attempt_at desc limit 1`

/** null: no item waits after a failed attempt. */
export async function embeddingFailure(system: System, db: Database): Promise<EmbeddingFailure | null> {
  const dimension = await system.embedder.readDimension()
  const [before, after] = dimension === null ? [] : wrongDimension(system.embedder.model, '\n', dimension).split('\n')
  return db.first<EmbeddingFailure>(LATEST, { before: before ?? null, after: after ?? null })
}
