import type { AuthContext } from '../../core/context.ts'
import type { ModelDown } from '../../core/embedding.ts'
import { AppError, isAppError, unavailable } from '../../core/errors.ts'
import type { ReadScope } from '../filter/read-scope.ts'
import { semanticHits, type SemanticHits } from './semantic.ts'

/** The value of `degraded` where a hybrid search answers by keyword only (contract §3). */
export const SEMANTIC_UNAVAILABLE = 'semantic_unavailable'

/** null: the model or the vectors do not answer, so the search is by keyword only. Throws in `semantic` mode. */
export async function semanticHitsOrDegraded(
  ctx: AuthContext,
  scope: ReadScope,
  {
    query,
    mode,
    similarity_threshold: threshold,
  }: { query: string; mode: string; similarity_threshold?: number | undefined },
  wanted: number,
  revision: number | null,
): Promise<SemanticHits | null> {
  try {
    return await semanticHits(ctx, scope, { text: query, floor: threshold ?? ctx.embedder.floor, revision }, wanted)
  } catch (error) {
    if (mode === 'semantic')
      throw isAppError(error) ? error : unavailable('Semantic search', error, secondsOf(ctx.embedder.down()))
    ctx.log.error(
      { event: 'search.degraded', request_id: ctx.requestId },
      error instanceof AppError ? error.cause : error,
    )
    return null
  }
}

const secondsOf = (down: ModelDown | null): number | undefined =>
  down ? Math.ceil(down.retryAfterMs / 1_000) : undefined
